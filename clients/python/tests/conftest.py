from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from afterbell import Client


@pytest.fixture(scope="session")
def service() -> tuple[str, str]:
    """URL and API key of a running service with the simulated market."""
    url, key = os.environ.get("SERVICE_URL"), os.environ.get("SERVICE_API_KEY")
    if url is None or key is None:
        pytest.skip("set SERVICE_URL and SERVICE_API_KEY to a running service")
    return url, key


@pytest.fixture(scope="session")
def client(service: tuple[str, str]) -> Iterator[Client]:
    with Client(*service) as client:
        yield client


@pytest.fixture(scope="session")
def symbol(client: Client) -> str:
    """A company of the simulated market that has reported results."""
    for day in client.calendar_earnings(from_="2026-11-09", to="2026-11-18"):
        for row in day.pre:
            if row.eps is not None and len(client.earnings_reactions(row.symbol)) > 0:
                return row.symbol
    raise AssertionError("no company has reported")
