"""Every method of the client, against a running service."""

from __future__ import annotations

import asyncio
import csv
import dataclasses
import datetime as dt
import functools
import inspect
import io
import json
import sys
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, get_type_hints
from xml.etree import ElementTree

import httpx
import pandas
import polars
import pytest

from afterbell import AsyncClient, Client, InvalidRequest, NotFound, Rows, UnknownSymbol
from afterbell._model import api_names
from afterbell._tables import Table
from afterbell.models import EarningsCalendar

METHODS = [name for name in vars(Client) if not name.startswith("_")]
ROWS_MAX = 50


def arguments_of(method: str, client: Client, symbol: str) -> dict[str, Any]:
    """Returns a value for each parameter without a default, and a range of days."""
    values: dict[str, Any] = examples_of(method, client._exchange.base_url) | {
        "symbol": symbol,
        "symbols": [symbol],
        "id": client.earnings(symbol)[-1].id,
        "date": dt.date(2026, 11, 19),
        "from_": dt.date(2026, 11, 16),
        "to": "2026-11-20",
        "since": "2026-11-20T15:30:00Z",
        "limit": ROWS_MAX,
    }
    parameters = inspect.signature(getattr(Client, method)).parameters
    chosen = {"from_", "to"} if "from_" in parameters else {"date"}
    chosen |= {"symbol", "limit"}
    return {
        name: values[name]
        for name, it in parameters.items()
        if name != "self" and (name in chosen or it.default is it.empty)
    }


@functools.cache
def examples_of(method: str, base_url: str) -> dict[str, Any]:
    """Returns the documented example of each parameter, for endpoints that are new to this test."""
    paths = httpx.get(f"{base_url}/openapi.json", timeout=30).json()["paths"]
    operations = [it["get"] for it in paths.values() if "get" in it]
    [operation] = [it for it in operations if it["operationId"].replace("-", "_") == method]
    return {it["name"]: it["example"] for it in operation["parameters"] if "example" in it}


def read_twice(
    service: tuple[str, str], method: str, symbol: str, **headers: str
) -> tuple[Any, httpx.Response]:
    """Reads a response with the client and without it. Both are of the same state of the market."""
    with Client(*service) as client:
        call = functools.partial(getattr(client, method), **arguments_of(method, client, symbol))
        for _ in range(5):
            result = call()
            *_, url = client._exchange.cache._responses
            key = {"X-Api-Key": service[1]}
            response = httpx.get(url, headers=key | headers, timeout=30).raise_for_status()
            meta = getattr(call(), "meta", None)
            if meta is None or meta.is_cached:
                break
    return result, response


def as_json(value: Any, raw: Any) -> Any:
    """Renders a decoded value as JSON. `raw` decides between the ways to write an instant."""
    if isinstance(value, dt.datetime):
        text = raw.replace("Z", "+00:00") if isinstance(raw, str) else ""
        return raw if text and dt.datetime.fromisoformat(text) == value else value.isoformat()
    if isinstance(value, dt.date):
        return value.isoformat()
    if isinstance(value, Decimal) and value == value.to_integral_value():
        return int(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        kind: Any = type(value)
        members = {key: getattr(value, name) for name, key in api_names(kind).items()}
        value = {key: it for key, it in members.items() if it is not None or key in raw}
    if isinstance(value, Mapping):
        return {key: as_json(it, raw.get(key)) for key, it in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [as_json(it, raw[index]) for index, it in enumerate(value)]
    return value


def exact_numbers(value: Any) -> Any:
    """Whole numbers are equal with and without a fraction."""
    if isinstance(value, list):
        return [exact_numbers(it) for it in value]
    if isinstance(value, dict):
        return {key: exact_numbers(it) for key, it in value.items()}
    is_whole = isinstance(value, Decimal) and value == value.to_integral_value()
    return int(value) if is_whole else value


@pytest.mark.parametrize("method", METHODS)
def test_returns_everything_in_the_response_of(
    method: str, service: tuple[str, str], symbol: str
) -> None:
    result, response = read_twice(service, method, symbol)
    if isinstance(result, str | bytes):
        # The text or file can contain the time of the request, but only after its beginning.
        assert result[:12] == (response.text if isinstance(result, str) else response.content)[:12]
        return
    raw = json.loads(response.content, parse_float=Decimal)
    # These count seconds until now.
    volatile = {"ageSeconds", "timestamp"}
    assert dropping(as_json(result, raw), volatile) == dropping(exact_numbers(raw), volatile)
    assert result.meta is not None
    assert result.meta.request_id is not None


def dropping(value: Any, names: set[str]) -> Any:
    if isinstance(value, list):
        return [dropping(it, names) for it in value]
    if isinstance(value, dict):
        return {key: dropping(it, names) for key, it in value.items() if key not in names}
    return value


def test_the_async_client_has_the_same_methods_and_results(
    service: tuple[str, str], client: Client, symbol: str
) -> None:
    async def read(method: str) -> Any:
        async with AsyncClient(*service) as other:
            return await getattr(other, method)(**arguments_of(method, client, symbol))

    assert [name for name in vars(AsyncClient) if not name.startswith("_")] == METHODS
    for method in ["profile", "calendar_earnings_ics"]:
        expected = getattr(client, method)(**arguments_of(method, client, symbol))
        assert asyncio.run(read(method)) == expected
    for method in METHODS:
        sync_hints = get_type_hints(getattr(Client, method))
        assert get_type_hints(getattr(AsyncClient, method)) == sync_hints


def table_methods() -> list[str]:
    """Returns the methods with a data frame. One day of earnings also has one."""
    methods = ["calendar_earnings"]
    for name in METHODS:
        returned = get_type_hints(getattr(Client, name))["return"]
        origin = getattr(returned, "__origin__", returned)
        if isinstance(origin, type) and issubclass(origin, Table):
            methods.append(name)
    return methods


def snake_case(column: str) -> str:
    """Returns the name of a CSV column in a data frame."""
    words = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in column)
    digits = "".join(
        f"_{it}" if it.isdigit() and words[index - 1].isalpha() else it
        for index, it in enumerate(words)
    )
    return digits.replace(".", "_")


@pytest.mark.parametrize("method", table_methods())
def test_a_data_frame_has_the_columns_and_lines_of_the_csv_of(
    method: str, service: tuple[str, str], symbol: str
) -> None:
    result, response = read_twice(service, method, symbol, Accept="text/csv")
    expected = list(csv.reader(io.StringIO(response.text)))
    lines = result.to_dicts()
    assert len(lines) == len(expected) - 1
    pandas_frame, polars_frame = result.to_pandas(), result.to_polars()
    assert sorted(map(str, pandas_frame.columns)) == sorted(map(snake_case, expected[0]))
    assert list(pandas_frame.columns) == polars_frame.columns
    assert len(pandas_frame) == len(polars_frame) == len(lines)
    for line, row in zip(expected[1:], lines, strict=True):
        cells = dict(zip(map(snake_case, expected[0]), line, strict=True))
        assert [name for name, cell in cells.items() if cell == ""] == [
            name for name in cells if row[name] in (None, ())
        ]


def test_data_frames_have_types_even_without_rows(client: Client, symbol: str) -> None:
    full = client.earnings(symbol)
    empty = client.calendar_dividends(from_="2016-01-01", to="2016-01-02")
    some = client.calendar_dividends()
    assert (len(empty), len(some) > 0) == (0, True)
    assert list(empty.to_pandas().dtypes.items()) == list(some.to_pandas().dtypes.items())
    assert empty.to_polars().schema == some.to_polars().schema

    types = full.to_pandas().dtypes.astype(str)
    assert types["date"] == "datetime64[us]"
    assert types["reported_at"] == "datetime64[us, UTC]"
    assert types["eps"] == "float64"
    assert types["revenue"] == "Int64"
    schema = full.to_polars().schema
    assert schema["date"] == polars.Date
    assert schema["reported_at"] == polars.Datetime("us", "UTC")
    assert schema["eps"] == polars.Decimal(38, 12)
    assert schema["revenue"] == polars.Int64


def test_data_frames_hold_the_exact_values(client: Client, symbol: str) -> None:
    reports = client.earnings(symbol)
    eps = [row.eps for row in reports]
    assert [None if pandas.isna(it) else it for it in reports.to_pandas(exact=True)["eps"]] == eps
    assert reports.to_polars()["eps"].to_list() == eps
    assert [it if it is None else float(it) for it in eps] == [
        None if pandas.isna(it) else it for it in reports.to_pandas()["eps"]
    ]
    assert reports.to_polars()["reported_at"].to_list() == [row.reported_at for row in reports]


def test_the_source_of_each_value_is_a_column_of_json(client: Client, symbol: str) -> None:
    frame = client.earnings(symbol, include="provenance").to_pandas()
    assert json.loads(frame["provenance"][0])["date"]["source"] == "sandbox"
    assert "provenance" not in client.earnings(symbol).to_pandas()


def test_one_day_is_an_object_and_a_range_is_a_list(client: Client) -> None:
    day = client.calendar_earnings(date="2026-11-19")
    week = client.calendar_earnings(from_="2026-11-16", to="2026-11-20")
    assert isinstance(day, EarningsCalendar)
    assert isinstance(week, Rows)
    assert week[3] == day
    assert set(day.to_pandas()["bucket"]) <= {"pre", "after", "not_supplied"}


def test_pages_and_changes_have_every_row_once(client: Client) -> None:
    whole = client.market_holidays()
    pages = list(client.pages(client.market_holidays(limit=7)))
    assert [row for page in pages for row in page] == list(whole)
    assert {page.meta.total_count for page in pages} == {len(whole)}

    changes = client.changes("2026-11-20T15:30:00Z", limit=20, dataset="dividends")
    resumed = client.iter_changes(changes[9].id, dataset="dividends")
    assert [next(resumed).id for _ in range(10)] == [change.id for change in changes[10:20]]


def test_an_unchanged_response_is_read_from_the_cache(client: Client, symbol: str) -> None:
    first, second = client.earnings_reactions(symbol), client.earnings_reactions(symbol)
    assert second.meta.is_cached
    assert list(first) == list(second)


def test_past_responses_do_not_change(client: Client, symbol: str) -> None:
    as_of = client.market_status().timestamp
    assert list(client.earnings(symbol, as_of=as_of)) == list(client.earnings(symbol, as_of=as_of))


def test_problems_are_typed_errors(client: Client) -> None:
    with pytest.raises(UnknownSymbol) as unknown:
        client.profile("NONE")
    assert unknown.value.problem is not None
    assert (unknown.value.problem.symbol, unknown.value.successor_symbol) == ("NONE", None)
    with pytest.raises(InvalidRequest) as invalid:
        client.calendar_economic(date="2026-02-30")
    assert invalid.value.problem is not None
    assert invalid.value.problem.parameter == "date"
    with pytest.raises(NotFound):
        client.earnings_revisions("ern_" + "0" * 20)


def test_works_without_the_libraries_for_data_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ["pandas", "polars", "numpy"]:
        monkeypatch.setitem(sys.modules, library, None)
    for module in [name for name in sys.modules if name.split(".")[0] == "afterbell"]:
        monkeypatch.delitem(sys.modules, module)
    import afterbell

    assert "Client" in dir(afterbell)


def test_reads_the_feed_of_changes_as_valid_atom(client: Client) -> None:
    """Checks what RFC 4287 requires of a feed and its entries."""
    atom = "{http://www.w3.org/2005/Atom}"
    feed = ElementTree.fromstring(client.changes_atom(limit=20))
    entries = feed.findall(f"{atom}entry")
    assert feed.tag == f"{atom}feed"
    assert len(entries) == 20
    assert feed.findtext(f"{atom}author/{atom}name")
    links = {link.get("rel"): link.get("href") for link in feed.findall(f"{atom}link")}
    assert (links["self"] or "").endswith("/v1/changes.atom?limit=20")
    ids = [element.findtext(f"{atom}id") for element in (feed, *entries)]
    assert len(set(ids)) == 21
    updated = []
    for element in (feed, *entries):
        assert element.findtext(f"{atom}title")
        for name in ("id", "title", "updated"):
            assert len(element.findall(f"{atom}{name}")) == 1
        text = element.findtext(f"{atom}updated") or ""
        updated.append(dt.datetime.fromisoformat(text.replace("Z", "+00:00")))
    assert updated == sorted(updated, reverse=True)
    assert updated[0] == updated[1]
    for entry in entries:
        content = entry.find(f"{atom}content")
        assert content is not None
        assert (content.text or "").startswith("<p>")
