from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import pytest

from afterbell._model import decoder_of
from afterbell._url import read_url
from afterbell.models import Alternative, Change, DividendRow, EarningsRow

NEW_YORK = dt.timezone(dt.timedelta(hours=-5))


def decode(model: type, value: object) -> Any:
    kind: Any = model
    return decoder_of(kind)(value)


def test_decodes_dates_instants_and_decimals() -> None:
    row = decode(
        EarningsRow,
        {
            "date": "2026-11-20",
            "updatedAt": "2026-11-20T15:30:00.250Z",
            "epsEstimate": Decimal("0.10"),
            "revenue": 1_500_000_000,
            "marketCap": 12,
            "eps": None,
        },
    )
    assert row.date == dt.date(2026, 11, 20)
    assert row.updated_at == dt.datetime(2026, 11, 20, 15, 30, 0, 250_000, dt.timezone.utc)
    assert (row.eps_estimate, row.revenue, row.eps) == (Decimal("0.10"), 1_500_000_000, None)
    assert isinstance(row.market_cap, Decimal)


def test_decodes_a_value_that_is_text_or_a_number() -> None:
    values = [decode(Alternative, {"value": value}).value for value in ["x", 1, Decimal("1.5")]]
    assert values == ["x", Decimal(1), Decimal("1.5")]


def test_reads_unknown_fields_and_values_and_rows_without_a_field() -> None:
    row = decode(EarningsRow, {"time": "time-at-noon", "notYetInvented": [1]})
    assert (row.time, row.date, row.provenance) == ("time-at-noon", None, None)


def test_names_that_are_keywords_end_with_an_underscore() -> None:
    assert decode(DividendRow, {"yield": Decimal("1.5")}).yield_ == Decimal("1.5")
    change = decode(Change, {"fields": {"date": {"from": "2026-11-20", "to": None}}})
    assert change.fields["date"].from_ == "2026-11-20"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (5, "5"),
        (Decimal("1E+3"), "1000"),
        (dt.date(2026, 11, 20), "2026-11-20"),
        (dt.datetime(2026, 11, 20, 10, 30, tzinfo=NEW_YORK), "2026-11-20T15%3A30%3A00Z"),
        (["A", "B&C"], "A%2CB%26C"),
    ],
)
def test_renders_parameters_as_the_api_reads_them(value: Any, text: str) -> None:
    assert read_url("http://a", "/v1/x", {"p": value, "omitted": None}) == f"http://a/v1/x?p={text}"


def test_rejects_an_instant_without_a_time_zone() -> None:
    with pytest.raises(ValueError, match="as_of must have a time zone"):
        read_url("http://a", "/v1/x", {"as_of": dt.datetime(2026, 11, 20)})
