from __future__ import annotations

import ast
import re
import sys
from importlib import metadata
from pathlib import Path

import afterbell

ALLOWED = re.compile(r"\b(MIT|BSD|ISC|Apache|PSF)\b|Python Software Foundation")
# A list of certificates. Its license applies to changed copies of its own files only.
ALSO_ALLOWED = {"certifi"}


def licence_of(name: str) -> str:
    about = metadata.metadata(name)
    stated = about.get_all("License-Expression", []) + about.get_all("License", [])
    classifiers = about.get_all("Classifier", [])
    return " ".join(stated + [it for it in classifiers if it.startswith("License")])


def dependencies_of(name: str, seen: set[str]) -> set[str]:
    """Returns all packages that an installation without extras brings in."""
    for requirement in metadata.requires(name) or []:
        match = re.match(r"[\w.-]+", requirement)
        if match is None or ";" in requirement or match[0] in seen:
            continue
        seen |= {match[0]}
        dependencies_of(match[0], seen)
    return seen


def test_allows_the_license_of_every_package_that_the_client_needs() -> None:
    names = dependencies_of("afterbell", set())
    assert {"anyio", "certifi", "httpcore", "httpx"} <= names
    assert {name for name in names if not ALLOWED.search(licence_of(name))} == ALSO_ALLOWED


def test_imports_only_what_an_installation_brings_in() -> None:
    extras = {"pandas", "polars"}
    declared = {re.split(r"[^\w-]", it)[0] for it in metadata.requires("afterbell") or []}
    assert extras < declared
    allowed = sys.stdlib_module_names | declared
    for path in Path(afterbell.__file__).parent.glob("*.py"):
        tree = ast.parse(path.read_text())
        for statement in tree.body:
            # Imports for type checkers are in a block of their own.
            if isinstance(statement, ast.Import):
                names = [alias.name for alias in statement.names]
            elif isinstance(statement, ast.ImportFrom) and statement.level == 0:
                names = [statement.module or ""]
            else:
                continue
            assert {name.split(".")[0] for name in names} <= allowed - extras, path.name
