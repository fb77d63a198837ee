"""Compile the Cython kernels and the message catalogues.  Everything static lives in pyproject.toml."""

from pathlib import Path

from Cython.Distutils import Extension
from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

PACKAGE = "mastaba"  # the import name of what this repository keeps in src/
DECAF = ["/usr/include/decaf", "/usr/local/include/decaf"]  # libdecaf's headers include <decaf/...> from there


def kernel(path: str, **extra: list[str]) -> Extension:
    return Extension(
        f"{PACKAGE}.{path.removesuffix('.pyx').replace('/', '.')}",
        [f"src/{path}"],
        cython_c_in_temp=True,  # no generated .c beside the sources
        cython_directives={"language_level": 3},
        extra_compile_args=["-O3"],
        **extra,
    )


class BuildWithCatalogues(build_py):
    """A wheel without .mo files speaks English only, so they are made wherever the package is built."""

    def run(self) -> None:
        from babel.messages.mofile import write_mo
        from babel.messages.pofile import read_po

        for po in Path("src/cli/locale").glob("*/LC_MESSAGES/*.po"):
            with po.open("rb") as source, po.with_suffix(".mo").open("wb") as target:
                write_mo(target, read_po(source))
        super().run()


setup(
    package_dir={PACKAGE: "src"},
    packages=[PACKAGE, *(f"{PACKAGE}.{name}" for name in find_packages("src"))],
    include_package_data=False,
    package_data={
        PACKAGE: ["py.typed"],
        f"{PACKAGE}.core.fair": ["*.pyi"],
        f"{PACKAGE}.core.games": ["*.pyi", "data/*.toml"],
        f"{PACKAGE}.cli": ["locale/*/LC_MESSAGES/*.mo", "pages/*/*.txt"],
    },
    cmdclass={"build_py": BuildWithCatalogues},
    ext_modules=[
        kernel("core/fair/group.pyx", extra_link_args=["-l:libdecaf.a", "-Wl,--exclude-libs,ALL"], include_dirs=DECAF),
        kernel("core/games/grid.pyx"),
        kernel("core/games/walks.pyx"),
    ],
)
