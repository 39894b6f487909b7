from __future__ import annotations

import re
from importlib import metadata

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
