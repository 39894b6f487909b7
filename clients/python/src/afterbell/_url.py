from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from urllib.parse import quote, urlencode, urlsplit

Value = str | int | float | Decimal | dt.date | Sequence[str] | None
"""The value of a parameter. `None` omits it, and a sequence is joined by commas."""


def check_base_url(base_url: str) -> str:
    """Returns the URL without a slash at its end. Raises `ValueError` if it is not an HTTP URL."""
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"base_url must be an http or https URL: {base_url!r}")
    if parts.query or parts.fragment or parts.username is not None:
        raise ValueError("base_url must not contain a query, a fragment or a user name")
    return base_url.rstrip("/")


def read_url(base_url: str, path: str, parameters: Mapping[str, Value]) -> str:
    """Fills the parameters in braces of the path, and adds all others to the query string."""
    texts = {name: _text(name, value) for name, value in parameters.items() if value is not None}
    in_path = re.findall(r"\{(\w+)\}", path)
    for name in in_path:
        text = texts.pop(name, "")
        if not text:
            raise ValueError(f"{name} must not be empty")
        path = path.replace(f"{{{name}}}", quote(text, safe=""))
    return base_url + path + (f"?{urlencode(texts)}" if texts else "")


def _text(name: str, value: Value) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case dt.datetime():
            if value.tzinfo is None:
                raise ValueError(f"{name} must have a time zone: {value!r}")
            return value.astimezone(dt.timezone.utc).isoformat().replace("+00:00", "Z")
        case dt.date():
            return value.isoformat()
        case Decimal():
            return format(value, "f")
        case str() | int() | float():
            return str(value)
    # An empty list would otherwise select everything instead of nothing.
    if not value:
        raise ValueError(f"{name} must not be an empty list")
    return ",".join(value)
