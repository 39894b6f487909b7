from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Meta:
    """The headers of a response. Names of headers are in lower case."""

    headers: Mapping[str, str]
    is_cached: bool
    """True if the service confirmed that the cached copy is current, which makes the call cheaper."""

    @property
    def request_id(self) -> str | None:
        return self.headers.get("x-request-id")

    @property
    def etag(self) -> str | None:
        return self.headers.get("etag")

    @property
    def as_of(self) -> dt.datetime | None:
        """Time of the newest observation in the response."""
        text = self.headers.get("x-data-as-of")
        return None if text is None else dt.datetime.fromisoformat(text.replace("Z", "+00:00"))

    @property
    def total_count(self) -> int | None:
        """Rows in the whole list, not only in this page."""
        text = self.headers.get("x-total-count")
        return None if text is None else int(text)

    @property
    def unknown_symbols(self) -> dict[str, str | None]:
        """Requested symbols that no security has, each with its successor if it was replaced."""
        items = [it for it in self.headers.get("x-unknown-symbols", "").split(", ") if it != ""]
        pairs = [item.partition(";successor=") for item in items]
        return {symbol: successor.strip('"') or None for symbol, _, successor in pairs}

    @property
    def history_limited(self) -> bool:
        """True if rows before the start of the plan's history were omitted."""
        return self.headers.get("x-history-limited") == "true"
