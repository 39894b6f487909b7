"""The Parquet files, read with DuckDB and pyarrow and compared with the responses of the API."""

from __future__ import annotations

import datetime as dt
import hashlib
import math
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import httpx
import pyarrow.parquet
import pytest

from afterbell import Client

COMPANIES = 12
# Prices, splits and reports of the day, which files do not have.
OMITTED = {
    "earnings": {"marketCap"},
    "dividends": {"splitAdjustedAmount", "yield"},
    "profiles": {"price", "priceDate", "marketCap", "averageVolume", "nextEarnings"},
}
# In responses, this is also the time of reports, and of price lists without a history.
INEXACT = {"profiles": {"active", "updatedAt"}}
Row = Mapping[str, Any]
Read = Callable[..., list[Row]]


@pytest.fixture(scope="module")
def files(client: Client, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all files, as a customer downloads them."""
    folder = tmp_path_factory.mktemp("datasets")
    listed = client.datasets()
    assert len(listed) > 5, "run afterbell export --format parquet"
    for table in listed:
        (folder / table.dataset).mkdir()
        for file in table.files:
            name = Path(file.path).name
            content = client.dataset_file(table.dataset, name)
            assert len(content) == file.size_bytes
            assert hashlib.sha256(content).hexdigest() == file.sha_256
            assert (
                pyarrow.parquet.read_metadata(pyarrow.BufferReader(content)).num_rows == file.rows
            )
            (folder / table.dataset / name).write_bytes(content)
    return folder


@pytest.fixture(scope="module")
def instants(client: Client, files: Path) -> list[dt.datetime]:
    """The time of the export, and a time at which some rows had another version."""
    exported = max(table.exported_at for table in client.datasets())
    [[earlier]] = duckdb.execute(f"""
        select quantile_disc(known_to, 0.5) - interval 1 millisecond
          from '{files}/earnings/*.parquet' where known_to is not null
    """).fetchall()
    return [exported, earlier.astimezone(dt.timezone.utc)]


@pytest.fixture(scope="module")
def read(service: tuple[str, str]) -> Read:
    """Reads rows of the API as JSON, exactly as it is sent."""
    url, key = service
    http = httpx.Client(base_url=url, headers={"X-Api-Key": key}, timeout=60)

    def read_rows(path: str, instant: dt.datetime, **parameters: str) -> list[Row]:
        at = instant.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        answer = http.get(path, params={**parameters, "asOf": at, "include": "provenance"})
        if answer.status_code == 404:
            return []
        assert answer.status_code == 200, answer.text
        body = answer.json()
        return body if isinstance(body, list) else [body]

    return read_rows


def rows_at(files: Path, dataset: str, instant: dt.datetime, where: str = "true") -> list[Row]:
    """Returns the rows of a table as they were known at an instant, read by DuckDB."""
    connection = duckdb.connect()
    connection.sql("set timezone = 'UTC'")
    table = connection.execute(
        f"""select * from '{files}/{dataset}/*.parquet'
             where known_from <= $at and (known_to is null or known_to > $at) and ({where})""",
        {"at": instant},
    )
    names = [column[0] for column in table.description or []]
    return [dict(zip(names, values, strict=True)) for values in table.fetchall()]


def assert_same(dataset: str, rows: Iterable[Row], answers: Iterable[Row], key: str) -> int:
    """Compares rows with responses: each field, its type and its source. Returns their number."""
    by_key = {row[key]: row for row in rows}
    answered = {answer[key]: answer for answer in answers}
    assert by_key.keys() == answered.keys()
    for name, row in by_key.items():
        answer = dict(answered[name])
        sources = answer.pop("provenance")
        skipped = OMITTED.get(dataset, set()) | INEXACT.get(dataset, set())
        for field, value in answer.items():
            if field not in skipped:
                assert is_same(row[field], value), (dataset, name, field, row[field], value)
        assert OMITTED.get(dataset, set()).isdisjoint(row)
        own = {"security_id", "known_from", "known_to", "public_at", "provenance"}
        assert row.keys() - own <= answer.keys()
        for field, source in row["provenance"].items():
            assert_same_source(field, source, sources)
    return len(by_key)


def assert_same_source(field: str, source: Any, sources: Row) -> None:
    if source is not None and "source" not in source:
        for part, inner in source.items():
            assert_same_source(f"{field}.{part}", inner, sources)
        return
    expected = sources.get(field)
    assert (source is None) == (expected is None), (field, source, expected)
    if source is not None and expected is not None:
        assert source["source"] == expected["source"]
        assert is_same(source["seenAt"], expected["seenAt"])


def is_same(value: Any, answer: Any) -> bool:
    """Compares a value of a file, in the type that DuckDB gives it, with its JSON."""
    if isinstance(value, dict):
        return isinstance(answer, dict) and all(
            is_same(inner, answer[name]) for name, inner in value.items()
        )
    if isinstance(value, list):
        return len(value) == len(answer) and all(map(is_same, value, answer))
    if isinstance(value, dt.datetime):
        return value == dt.datetime.fromisoformat(answer.replace("Z", "+00:00"))
    if isinstance(value, dt.date):
        return value.isoformat() == str(answer)
    if isinstance(value, Decimal):
        return not isinstance(answer, str) and math.isclose(value, answer, rel_tol=1e-15)
    return type(value) is type(answer) and bool(value == answer)


def test_rows_of_companies_equal_the_responses(
    files: Path, read: Read, instants: list[dt.datetime]
) -> None:
    for instant in instants:
        profiles = {row["symbol"]: row for row in rows_at(files, "profiles", instant)}
        symbols = sorted(profiles)[:COMPANIES]
        compared = 0
        for symbol in symbols:
            known = read(f"/v1/profile/{symbol}", instant)
            assert_same("profiles", [profiles[symbol]], known, "symbol")
            where = f"security_id = '{profiles[symbol]['security_id']}'"
            rows = rows_at(files, "earnings", instant, where)
            reports = read("/v1/earnings", instant, symbol=symbol)
            # The endpoint shows at most four upcoming reports.
            shown = {report["id"] for report in reports}
            hidden = [row for row in rows if row["id"] not in shown]
            assert all(row["dateStatus"] != "reported" for row in hidden)
            visible = [row for row in rows if row["id"] in shown]
            compared += assert_same("earnings", visible, reports, "id")
        assert compared >= COMPANIES


@pytest.mark.parametrize(
    ("dataset", "path", "day"),
    [
        ("dividends", "/v1/calendar/dividends", "exDate"),
        ("economic-events", "/v1/calendar/economic", "date"),
        ("ipos", "/v1/calendar/ipo", "date"),
    ],
)
def test_rows_of_calendars_equal_the_responses(
    files: Path, read: Read, instants: list[dt.datetime], dataset: str, path: str, day: str
) -> None:
    for instant in instants:
        first, last = dt.date(2026, 9, 15), dt.date(2026, 12, 10)
        rows = rows_at(files, dataset, instant, f"{day} between '{first}' and '{last}'")
        answers = read(path, instant, **{"from": str(first), "to": str(last)})
        dated = [answer for answer in answers if answer[day] is not None]
        compared = assert_same(dataset, rows, dated, "id")
        assert compared > 5 or instant != instants[0]


def test_types_are_those_of_the_documentation(files: Path) -> None:
    schema = pyarrow.parquet.read_schema(next((files / "earnings").iterdir()))
    types = {name: str(schema.field(name).type) for name in schema.names}
    assert types["date"] == "date32[day]"
    assert types["eps"] == "decimal128(18, 6)"
    assert types["splitFactor"] == "decimal128(28, 12)"
    assert types["revenue"] == "int64"
    assert types["reportedAt"] == types["known_from"] == "timestamp[us, tz=UTC]"
    assert "eps: struct<source: string, seenAt: timestamp[us, tz=UTC]>" in types["provenance"]


def test_pyarrow_reads_the_same_rows_as_duckdb(files: Path) -> None:
    duckdb.execute("set timezone = 'UTC'")
    for folder in files.iterdir():
        table = pyarrow.parquet.read_table(folder)
        relation = duckdb.sql(f"select * from '{folder}/*.parquet'")
        assert relation is not None
        rows = relation.to_arrow_table()
        assert rows is not None and rows.cast(table.schema).equals(table), folder.name
