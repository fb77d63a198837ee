"""Imports point one way, cli -> net -> core, and the core has no socket, clock, file, thread or randomness of its own."""

import ast
import importlib.util
import re
from pathlib import Path

import mastaba
import pytest

SRC = Path(mastaba.__file__).parent
MODULES = sorted(SRC.rglob("*.py")) + sorted(SRC.rglob("*.pyx"))
NO_IO = {
    *("asyncio", "concurrent", "ctypes", "fcntl", "ftplib", "glob", "http", "importlib", "io", "logging", "mmap", "multiprocessing"),
    *("os", "pathlib", "pickle", "platform", "pty", "queue", "random", "runpy", "sched", "secrets", "select", "selectors", "shutil"),
    *("signal", "socket", "socketserver", "sqlite3", "ssl", "subprocess", "sys", "tempfile", "threading", "time", "datetime", "urllib"),
    *("uuid", "zeroconf", "prompt_toolkit", "platformdirs", "_thread", "readline", "termios", "builtins", "resource", "gettext"),
}
CALLS = {"open", "print", "input", "exec", "eval", "compile", "__import__", "breakpoint"}
BELOW = {"core": {"core"}, "net": {"core", "net"}, "cli": {"core", "net", "cli"}}


def imported(source: str, package: str) -> set[str]:
    """The dotted names of every module that the source imports, wherever in it."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = importlib.util.resolve_name("." * node.level + (node.module or ""), package) if node.level else node.module or ""
            names |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
    return names


def package_of(path: Path) -> str:
    return ".".join(("mastaba", *path.relative_to(SRC).parent.parts))


def python(path: Path) -> str:
    """The module's text; of a kernel only its imports, the rest is not Python."""
    text = path.read_text()
    if path.suffix == ".py":
        return text
    return "\n".join(re.findall(r"^(?:from \S+ )?import [^(\n]+$", text, re.MULTILINE))


def faults(source: str, package: str) -> list[str]:
    layer = [*package.split("."), ""][1]
    if layer not in BELOW:
        return []
    names = imported(source, package)
    ours = {name: name.split(".")[1] for name in names if name.startswith("mastaba.")}
    found = [name for name, theirs in ours.items() if theirs in BELOW and theirs not in BELOW[layer]]
    if layer == "core":
        found += [n for n in names if n.split(".")[0] in NO_IO]
        calls = [n.func.id for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]
        found += [name for name in calls if name in CALLS]
    return sorted(found)


@pytest.mark.parametrize("path", MODULES, ids=[str(path.relative_to(SRC)) for path in MODULES])
def test_imports_point_one_way_and_the_core_does_nothing_by_itself(path):
    assert faults(python(path), package_of(path)) == []


@pytest.mark.parametrize(
    ("source", "package"),
    [
        ("import socket", "mastaba.core"),
        ("from random import shuffle", "mastaba.core.games"),
        ("def f():\n    import os.path", "mastaba.core.fair"),
        ("from ..net import log", "mastaba.core"),
        ("from ...cli import show", "mastaba.core.bots"),
        ("from .. import cli", "mastaba.net"),
        ("import mastaba.cli.show", "mastaba.net"),
        ("open('x')", "mastaba.core"),
    ],
)
def test_an_import_that_points_the_wrong_way_would_be_found(source, package):
    assert faults(source, package)


@pytest.mark.parametrize(
    ("source", "package"),
    [("from ..core import plain", "mastaba.net"), ("import socket", "mastaba.net"), ("from .. import net", "mastaba.cli")],
)
def test_imports_that_point_down_are_allowed(source, package):
    assert faults(source, package) == []


@pytest.mark.parametrize("path", MODULES, ids=[str(path.relative_to(SRC)) for path in MODULES])
def test_every_module_says_what_it_knows_in_its_first_sentence(path):
    text = path.read_text()
    if path.suffix == ".py" and text.strip():
        docstring = ast.get_docstring(ast.parse(text))
        assert docstring
        assert docstring[0].isupper() or docstring.startswith("mastaba")


@pytest.mark.parametrize("path", MODULES, ids=[str(path.relative_to(SRC)) for path in MODULES])
def test_modules_stay_small(path):
    assert len(path.read_text().splitlines()) < 500
