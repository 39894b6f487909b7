"""The parts of the clients that are not generated: calls, pages and changes."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

import anyio
import httpx

from ._exchange import (
    Exchange,
    Read,
    headers_for,
    read_bytes,
    read_either,
    read_model,
    read_rows,
    read_text,
)
from ._follow import STREAM_PATH, STREAM_TIMEOUT, Follower
from ._tables import Rows
from ._url import Value, read_url
from .errors import ApiError
from .models import Change

if TYPE_CHECKING:
    from typing_extensions import Self

T = TypeVar("T")
Parameters = dict[str, Value]


class SyncTransport:
    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        retries: int = 3,
        wait_seconds_max: float = 60,
        cache_bytes: int = 8_000_000,
        timeout_seconds: float = 30,
        http_client: httpx.Client | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """
        `base_url` is the URL of the service, such as `https://earnings.example.com`.

        Temporary failures are retried up to `retries` times, after the delay in `Retry-After`. An
        error that asks for more than `wait_seconds_max` is raised instead. Up to `cache_bytes` of
        responses are kept, and the service only confirms that they are current, which costs less;
        0 keeps none. `http_client` replaces the default `httpx.Client`, for example to set a proxy.
        `sleep` replaces `time.sleep` in tests.
        """
        self._exchange = Exchange(base_url, api_key, retries, wait_seconds_max, cache_bytes)
        self._http = http_client or httpx.Client(timeout=timeout_seconds)
        self._is_owner = http_client is None
        self._sleep = sleep

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._exchange.base_url!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections, but not those of your own `http_client`."""
        if self._is_owner:
            self._http.close()

    def pages(self, first: Rows[T]) -> Iterator[Rows[T]]:
        """Yields the page and all pages after it: `client.pages(client.changes(id, limit=100))`."""
        page = first
        yield page
        while page.next_page is not None:
            page = self._fetch(page.next_page, {}, read_rows(first.row_type))
            yield page

    def iter_changes(
        self,
        since: str | dt.datetime,
        *,
        dataset: str | None = None,
        symbols: str | Sequence[str] | None = None,
        poll_seconds: float | None = None,
    ) -> Iterator[Change]:
        """
        Yields every change since an instant, or after the change with that id, oldest first.

        Store the `id` of each change you have processed, and pass the last one to resume without
        missing or repeating any. With `poll_seconds`, the iterator does not end, but asks for new
        changes at that interval. Raises `PositionLost` if the service lost the history that you
        followed: load the data again, then continue after `error.resume_after`.
        """
        while True:
            parameters: Parameters = {"since": since, "dataset": dataset, "symbols": symbols}
            for page in self.pages(self._rows("/v1/changes", Change, parameters)):
                for change in page:
                    yield change
                    since = change.id
            if poll_seconds is None:
                return
            self._sleep(poll_seconds)

    def follow_changes(
        self,
        since: str | dt.datetime | None = None,
        *,
        dataset: str | None = None,
        symbols: str | Sequence[str] | None = None,
    ) -> Iterator[Change]:
        """
        Yields each change once, in order, as it is committed: after `since`, or from now on.

        Reads the stream of changes. When the connection ends or fails, it reconnects after the last
        change, without limit. It raises an `ApiError` when the service rejects the request. Store
        the `id` of each change you have processed, and pass the last one to resume.
        """
        filters: Parameters = {"dataset": dataset, "symbols": symbols}
        exchange, follower = self._exchange, Follower(self._exchange.wait_seconds_max)
        while True:
            error: ApiError | httpx.TransportError | None = None
            start: Parameters = {"since": since} if follower.position is None else {}
            try:
                with self._http.stream(
                    "GET",
                    read_url(exchange.base_url, STREAM_PATH, start | filters),
                    headers=follower.connect(),
                    auth=exchange.auth,
                    follow_redirects=False,
                    timeout=STREAM_TIMEOUT,
                ) as response:
                    if response.status_code != 200:
                        response.read()
                    events = follower.open(response)
                    for chunk in response.iter_bytes():
                        yield from events.read(chunk)
            except (ApiError, httpx.TransportError) as failure:
                error = failure
            if follower.can_catch_up(error):
                page_start: Parameters = {"since": follower.position}
                first = self._rows("/v1/changes", Change, page_start | filters)
                for page in self.pages(first):
                    for change in page:
                        if follower.advance(change.id):
                            yield change
                follower.caught_up()
                continue
            self._sleep(follower.delay_or_raise(error))

    def _model(self, path: str, model: type[T], parameters: Parameters) -> T:
        return self._fetch(path, parameters, read_model(model))

    def _rows(self, path: str, row_type: type[T], parameters: Parameters) -> Rows[T]:
        return self._fetch(path, parameters, read_rows(row_type))

    def _either(self, path: str, model: type[T], parameters: Parameters) -> T | Rows[T]:
        return self._fetch(path, parameters, read_either(model))

    def _text(self, path: str, parameters: Parameters) -> str:
        return self._fetch(path, parameters, read_text)

    def _bytes(self, path: str, parameters: Parameters) -> bytes:
        return self._fetch(path, parameters, read_bytes)

    def _fetch(self, path: str, parameters: Parameters, read: Read[T]) -> T:
        exchange, failures = self._exchange, 0
        url = read_url(exchange.base_url, path, parameters)
        while True:
            try:
                cached = exchange.cache.get(url)
                response = self._http.get(
                    url, headers=headers_for(cached), auth=exchange.auth, follow_redirects=False
                )
                return exchange.receive(url, response, cached, read)
            except (ApiError, httpx.TransportError) as error:
                failures += 1
                delay_seconds = exchange.delay_or_raise(failures, error)
            self._sleep(delay_seconds)


class AsyncTransport:
    """Reads data like `Client`, with coroutines and asynchronous iterators."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        retries: int = 3,
        wait_seconds_max: float = 60,
        cache_bytes: int = 8_000_000,
        timeout_seconds: float = 30,
        http_client: httpx.AsyncClient | None = None,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    ) -> None:
        self._exchange = Exchange(base_url, api_key, retries, wait_seconds_max, cache_bytes)
        self._http = http_client or httpx.AsyncClient(timeout=timeout_seconds)
        self._is_owner = http_client is None
        self._sleep = sleep

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._exchange.base_url!r})"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections, but not those of your own `http_client`."""
        if self._is_owner:
            await self._http.aclose()

    async def pages(self, first: Rows[T]) -> AsyncIterator[Rows[T]]:
        """Yields the page and all pages after it."""
        page = first
        yield page
        while page.next_page is not None:
            page = await self._fetch(page.next_page, {}, read_rows(first.row_type))
            yield page

    async def iter_changes(
        self,
        since: str | dt.datetime,
        *,
        dataset: str | None = None,
        symbols: str | Sequence[str] | None = None,
        poll_seconds: float | None = None,
    ) -> AsyncIterator[Change]:
        """Yields every change since an instant or id, like `Client.iter_changes`."""
        while True:
            parameters: Parameters = {"since": since, "dataset": dataset, "symbols": symbols}
            first = await self._rows("/v1/changes", Change, parameters)
            async for page in self.pages(first):
                for change in page:
                    yield change
                    since = change.id
            if poll_seconds is None:
                return
            await self._sleep(poll_seconds)

    async def follow_changes(
        self,
        since: str | dt.datetime | None = None,
        *,
        dataset: str | None = None,
        symbols: str | Sequence[str] | None = None,
    ) -> AsyncIterator[Change]:
        """
        Yields each change as it is committed, like `Client.follow_changes`.

        Use `contextlib.aclosing` to close the connection at once when you leave the loop.
        """
        filters: Parameters = {"dataset": dataset, "symbols": symbols}
        exchange, follower = self._exchange, Follower(self._exchange.wait_seconds_max)
        while True:
            error: ApiError | httpx.TransportError | None = None
            start: Parameters = {"since": since} if follower.position is None else {}
            try:
                async with self._http.stream(
                    "GET",
                    read_url(exchange.base_url, STREAM_PATH, start | filters),
                    headers=follower.connect(),
                    auth=exchange.auth,
                    follow_redirects=False,
                    timeout=STREAM_TIMEOUT,
                ) as response:
                    if response.status_code != 200:
                        await response.aread()
                    events = follower.open(response)
                    async for chunk in response.aiter_bytes():
                        for change in events.read(chunk):
                            yield change
            except (ApiError, httpx.TransportError) as failure:
                error = failure
            if follower.can_catch_up(error):
                page_start: Parameters = {"since": follower.position}
                first = await self._rows("/v1/changes", Change, page_start | filters)
                async for page in self.pages(first):
                    for change in page:
                        if follower.advance(change.id):
                            yield change
                follower.caught_up()
                continue
            await self._sleep(follower.delay_or_raise(error))

    async def _model(self, path: str, model: type[T], parameters: Parameters) -> T:
        return await self._fetch(path, parameters, read_model(model))

    async def _rows(self, path: str, row_type: type[T], parameters: Parameters) -> Rows[T]:
        return await self._fetch(path, parameters, read_rows(row_type))

    async def _either(self, path: str, model: type[T], parameters: Parameters) -> T | Rows[T]:
        return await self._fetch(path, parameters, read_either(model))

    async def _text(self, path: str, parameters: Parameters) -> str:
        return await self._fetch(path, parameters, read_text)

    async def _bytes(self, path: str, parameters: Parameters) -> bytes:
        return await self._fetch(path, parameters, read_bytes)

    async def _fetch(self, path: str, parameters: Parameters, read: Read[T]) -> T:
        exchange, failures = self._exchange, 0
        url = read_url(exchange.base_url, path, parameters)
        while True:
            try:
                cached = exchange.cache.get(url)
                response = await self._http.get(
                    url, headers=headers_for(cached), auth=exchange.auth, follow_redirects=False
                )
                return exchange.receive(url, response, cached, read)
            except (ApiError, httpx.TransportError) as error:
                failures += 1
                delay_seconds = exchange.delay_or_raise(failures, error)
            await self._sleep(delay_seconds)
