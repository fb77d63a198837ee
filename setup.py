"""Compile the Cython kernels, the message catalogues, the man pages and completions.  Everything static lives in pyproject.toml."""

import argparse
import importlib
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path

from Cython.Distutils import Extension
from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

PACKAGE = "mastaba"  # the import name of what this repository keeps in src/
DECAF = ["/usr/include/decaf", "/usr/local/include/decaf"]  # libdecaf's headers include <decaf/...> from there
SHARE = Path("build/share")  # where what is generated for share/ lies until it is packed
MANUALS = {"en": "man/man1/mastaba.1", "es": "man/es/man1/mastaba.1"}
COMPLETIONS = {
    "bash": "bash-completion/completions/mastaba",
    "zsh": "zsh/site-functions/_mastaba",
    "fish": "fish/vendor_completions.d/mastaba.fish",
}
WORDS = {  # what shells complete, by the argument's name
    "game": ("crypt", "loot", "pyramid", "scarabya"),
    "level": ("random", "sensible"),
    "bot": ("random", "sensible"),
    "lang": ("en", "es"),
}


def kernel(path: str, **extra: list[str]) -> Extension:
    return Extension(
        f"{PACKAGE}.{path.removesuffix('.pyx').replace('/', '.')}",
        [f"src/{path}"],
        cython_c_in_temp=True,  # no generated .c beside the sources
        cython_directives={"language_level": 3},
        extra_compile_args=["-O3"],
        **extra,
    )


def command_line(language: str) -> argparse.ArgumentParser:
    """The program's own parser, out of the sources: it needs neither a kernel nor a library."""
    if PACKAGE not in sys.modules:
        spec = importlib.util.spec_from_file_location(PACKAGE, "src/__init__.py", submodule_search_locations=["src"])
        sys.modules[PACKAGE] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[PACKAGE])
    importlib.import_module(f"{PACKAGE}.cli.text").use(language)
    return importlib.import_module(f"{PACKAGE}.cli.__main__").parser()


def actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Every flag and argument of the parser and its commands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from actions(command)


def generated() -> dict[str, str]:
    """By path below share/: man pages in both languages, completions for three shells."""
    import shtab
    from argparse_manpage.manpage import Manpage

    files = {}
    for language, path in MANUALS.items():
        parser = command_line(language)
        parser.man_short_description = parser.description
        page = Manpage(parser, format="single-commands-section")
        page.manual = page.source = PACKAGE
        files[path] = str(page)
    parser = command_line("en")
    for action in actions(parser):
        if action.metavar in ("FILE", "OUT"):
            action.complete = shtab.FILE
        elif action.dest in WORDS:
            action.choices = WORDS[action.dest]  # the program itself says why a word is refused; a shell only completes
    return files | {path: shtab.complete(parser, shell) for shell, path in COMPLETIONS.items()}


class BuildWithTexts(build_py):
    """A wheel without .mo files speaks English only, so they are made wherever the package is built; so is what goes to share/."""

    def run(self) -> None:
        from babel.messages.mofile import write_mo
        from babel.messages.pofile import read_po

        for po in Path("src/cli/locale").glob("*/LC_MESSAGES/*.po"):
            with po.open("rb") as source, po.with_suffix(".mo").open("wb") as target:
                write_mo(target, read_po(source))
        for path, text in generated().items():
            (SHARE / path).parent.mkdir(parents=True, exist_ok=True)
            (SHARE / path).write_text(text, encoding="utf-8")
        super().run()


setup(
    package_dir={PACKAGE: "src"},
    packages=[PACKAGE, *(f"{PACKAGE}.{name}" for name in find_packages("src"))],
    include_package_data=False,
    package_data={
        PACKAGE: ["py.typed"],
        f"{PACKAGE}.core.fair": ["*.pyi"],
        f"{PACKAGE}.core.games": ["*.pyi", "data/*.toml"],
        f"{PACKAGE}.cli": ["locale/*/LC_MESSAGES/*.mo", "pages/*/*.txt", "web/*"],
    },
    data_files=[(f"share/{Path(path).parent}", [str(SHARE / path)]) for path in (*MANUALS.values(), *COMPLETIONS.values())],
    cmdclass={"build_py": BuildWithTexts},
    ext_modules=[
        kernel("core/fair/group.pyx", extra_link_args=["-l:libdecaf.a", "-Wl,--exclude-libs,ALL"], include_dirs=DECAF),
        kernel("core/games/grid.pyx"),
        kernel("core/games/walks.pyx"),
    ],
)
