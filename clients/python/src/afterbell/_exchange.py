"""The part of a call that is the same for the sync and the async client: everything but the I/O."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Generator
from decimal import Decimal
from importlib.metadata import version
from typing import Any, TypeVar

import httpx

from ._cache import CachedResponse, ResponseCache
from ._meta import Meta
from ._model import Model, decoder_of
from ._tables import Rows
from ._url import check_base_url
from .errors import ApiError, ConnectionFailed, UnexpectedResponse, api_error

T = TypeVar("T")
Read = Callable[[bytes, Meta], T]
"""Converts the body of a 200 response."""

_USER_AGENT = f"afterbell-python/{version('afterbell')}"
TEMPORARY = frozenset({429, 500, 502, 503, 504})


class KeyAuth(httpx.Auth):
    """Adds the key to each request, in the header whose value httpx hides in its texts."""

    def __init__(self, api_key: str) -> None:
        if not api_key or not all("!" <= letter <= "~" for letter in api_key):
            raise ValueError("api_key must be an API key: is its setting empty?")
        self._api_key = api_key

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        request.headers["Authorization"] = f"Bearer {self._api_key}"
        yield request


class Exchange:
    """The address of a service, cached responses, and the rules for retries."""

    def __init__(
        self, base_url: str, api_key: str, retries: int, wait_seconds_max: float, cache_bytes: int
    ) -> None:
        self.base_url = check_base_url(base_url)
        self.auth = KeyAuth(api_key)
        self._retries = retries
        self.wait_seconds_max = wait_seconds_max
        self.cache = ResponseCache(cache_bytes)

    def receive(
        self, url: str, response: httpx.Response, cached: CachedResponse | None, read: Read[T]
    ) -> T:
        """Reads a response. Raises an `ApiError` if it is neither 200 nor 304."""
        headers, body = dict(response.headers), response.content
        is_cached = response.status_code == 304
        if is_cached and cached is not None:
            headers, body = cached.headers | headers, cached.body
        elif response.is_redirect:
            # Its target would receive the key.
            raise UnexpectedResponse("redirects are not followed: is base_url complete?")
        elif response.status_code != 200:
            raise api_error(response.status_code, headers, body)
        result = read(body, Meta(headers, is_cached))
        if "etag" in headers:
            self.cache.put(url, CachedResponse(headers["etag"], headers, body))
        return result

    def delay_or_raise(self, failures: int, error: ApiError | httpx.TransportError) -> float:
        """
        Returns the seconds to wait before the next attempt. Raises the error if there is none.

        Temporary failures are requests that got no response, and statuses 429, 500, 502, 503 and
        504. A delay in `Retry-After` that is longer than the limit is not waited for: an exhausted
        quota, for example, lasts until midnight.
        """
        delay = min(self.wait_seconds_max, 2.0 ** (failures - 2))
        if isinstance(error, ApiError):
            if error.retry_after_seconds is not None:
                delay = error.retry_after_seconds
            if error.status not in TEMPORARY or delay > self.wait_seconds_max:
                raise error
        if failures > self._retries:
            raise error if isinstance(error, ApiError) else ConnectionFailed(str(error)) from error
        # Jitter prevents clients that were rejected at the same time from retrying together.
        return delay + random.uniform(0, max(0.25, delay / 10))


def headers_for(cached: CachedResponse | None) -> dict[str, str]:
    """Returns the headers of a request. The key is added by `KeyAuth`."""
    headers = {"User-Agent": _USER_AGENT}
    return headers if cached is None else headers | {"If-None-Match": cached.etag}


def read_model(model: type[T]) -> Read[T]:
    def read(body: bytes, meta: Meta) -> T:
        return _decode_model(model, _json_of(body, meta), meta)

    return read


def read_rows(row_type: type[T]) -> Read[Rows[T]]:
    def read(body: bytes, meta: Meta) -> Rows[T]:
        return _decode_rows(row_type, _json_of(body, meta), meta)

    return read


def read_either(model: type[T]) -> Read[T | Rows[T]]:
    """Reads one object, or a list of such objects."""

    def read(body: bytes, meta: Meta) -> T | Rows[T]:
        value = _json_of(body, meta)
        if isinstance(value, list):
            return _decode_rows(model, value, meta)
        return _decode_model(model, value, meta)

    return read


def read_text(body: bytes, meta: Meta) -> str:
    return body.decode()


def read_bytes(body: bytes, meta: Meta) -> bytes:
    return body


def _json_of(body: bytes, meta: Meta) -> Any:
    if not meta.headers.get("content-type", "").startswith("application/json"):
        raise UnexpectedResponse("the response is not JSON: is base_url the address of a service?")
    return json.loads(body, parse_float=Decimal)


def _decode_model(model: type[T], value: Any, meta: Meta) -> T:
    kind: Any = model
    decoded: T = decoder_of(kind)(value)
    if isinstance(decoded, Model):
        object.__setattr__(decoded, "_meta", meta)
    return decoded


def _decode_rows(row_type: type[T], value: Any, meta: Meta) -> Rows[T]:
    kind: Any = row_type
    return Rows(map(decoder_of(kind), value), row_type, meta, _next_page(meta))


def _next_page(meta: Meta) -> str | None:
    """Returns the path of the next page. The key is sent nowhere but to the service."""
    links = httpx.Response(200, headers={"Link": meta.headers.get("link", "")}).links
    path = links.get("next", {}).get("url")
    if path is not None and not path.startswith("/v1/"):
        raise UnexpectedResponse(f"the next page is on another host: {path}")
    return path
