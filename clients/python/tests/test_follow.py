"""Following the stream of changes, with scripted connections."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest

from afterbell import (
    ApiError,
    AsyncClient,
    Client,
    Forbidden,
    NotFound,
    QuotaExceeded,
    Unauthorized,
    UnexpectedResponse,
)

LAST = 3
ALL = [f"chg_{n:012}" for n in range(1, LAST + 1)]
STREAM = {"content-type": "text/event-stream"}


def row(n: int) -> dict[str, Any]:
    return {
        "id": f"chg_{n:012}",
        "at": "2026-11-20T15:00:00Z",
        "observedAt": "2026-11-20T15:00:00Z",
        "dataset": "profiles",
        "kind": "changed",
        "eventId": "sec_1",
        "symbol": "NRTH",
        "changedFields": ["name"],
        "fields": {"name": {"from": None, "to": "Café\u2028北"}},
    }


def stream_after(position: int) -> bytes:
    """All changes after a position, as the service sends them, with heartbeats."""
    events = ["retry: 1000\n\n", f"id: chg_{position:012}\n\n"]
    for n in range(position + 1, LAST + 1):
        data = json.dumps(row(n), ensure_ascii=False)
        events += [f"id: chg_{n:012}\nevent: change\ndata: {data}\n\n", ":\n\n"]
    return "".join(events).encode()


class Cut(httpx.SyncByteStream, httpx.AsyncByteStream):
    """Delivers some bytes in pieces, and then fails."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.is_closed = False

    def __iter__(self) -> Iterator[bytes]:
        for start in range(0, len(self._data), 100):
            yield self._data[start : start + 100]
        raise httpx.ReadError("cut")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self:
            yield chunk

    def close(self) -> None:
        self.is_closed = True

    async def aclose(self) -> None:
        self.is_closed = True


class Service:
    """Cuts its connections at the given bytes, and the last one after the last change."""

    def __init__(self, *cuts: int, resumes: bool = True) -> None:
        self.cuts = list(cuts)
        self.resumes = resumes
        self.sent: list[httpx.Request] = []
        self.streams: list[Cut] = []
        self.waited: list[float] = []

    def respond(self, request: httpx.Request) -> httpx.Response:
        self.sent.append(request)
        position = request.headers.get("last-event-id", "chg_0") if self.resumes else "chg_0"
        whole = stream_after(int(position[4:]))
        self.streams.append(Cut(whole[: self.cuts.pop(0)] if self.cuts else whole))
        return httpx.Response(200, headers=STREAM, stream=self.streams[-1])

    def client(self) -> Client:
        http = httpx.Client(transport=httpx.MockTransport(self.respond))
        return Client("https://data.example", "made_up", http_client=http, sleep=self.waited.append)

    def async_client(self) -> AsyncClient:
        async def sleep(seconds: float) -> None:
            self.waited.append(seconds)

        http = httpx.AsyncClient(transport=httpx.MockTransport(self.respond))
        return AsyncClient("https://data.example", "made_up", http_client=http, sleep=sleep)


class Script(Service):
    """Sends responses in order."""

    def __init__(self, *answers: httpx.Response | httpx.TransportError | int) -> None:
        super().__init__()
        self.answers = list(answers)

    def respond(self, request: httpx.Request) -> httpx.Response:
        answer = self.answers.pop(0)
        if isinstance(answer, httpx.TransportError):
            self.sent.append(request)
            raise answer
        if isinstance(answer, int):
            self.cuts = [answer]
            return super().respond(request)
        self.sent.append(request)
        return answer


def refusal(status: int, code: str, parameter: str | None = None, **headers: str) -> httpx.Response:
    problem = {"type": "", "title": "", "status": status, "code": code, "detail": "so"}
    problem |= {"instance": "req_1"} | ({} if parameter is None else {"parameter": parameter})
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    media = {"content-type": "application/problem+json"}
    return httpx.Response(status, content=json.dumps(problem), headers=media | named)


def follow(client: Client, count: int = LAST) -> list[str]:
    changes = client.follow_changes("chg_0")
    return [next(changes).id for _ in range(count)]


async def follow_async(client: AsyncClient) -> list[str]:
    ids: list[str] = []
    async for change in client.follow_changes("chg_0"):
        ids.append(change.id)
        if len(ids) == LAST:
            break
    return ids


@pytest.mark.parametrize("resumes", [True, False])
def test_yields_each_change_once_wherever_the_connection_is_cut(resumes: bool) -> None:
    service = Service(resumes=resumes)
    client, async_client = service.client(), service.async_client()

    async def run() -> None:
        for cut in range(0, len(stream_after(0)) + 1, 7):
            service.cuts = [cut]
            assert follow(client) == ALL, cut
            service.cuts = [cut]
            assert await follow_async(async_client) == ALL, cut

    asyncio.run(run())


def test_starts_with_since_resumes_with_the_last_id_and_closes_the_connection() -> None:
    service = Service(len(stream_after(0)) - 40)
    changes = service.client().follow_changes("chg_0", symbols=["NRTH", "VLY"], dataset="profiles")
    found = [next(changes) for _ in range(LAST)]
    assert [change.id for change in found] == ALL
    assert found[0].fields is not None
    first, second = service.sent
    filters = {"dataset": "profiles", "symbols": "NRTH,VLY"}
    assert dict(first.url.params) == filters | {"since": "chg_0"}
    assert dict(second.url.params) == filters
    assert second.headers["last-event-id"] == ALL[-2]
    changes.close()  # type: ignore[attr-defined]
    assert [stream.is_closed for stream in service.streams] == [True, True]


def test_waits_as_the_service_asks() -> None:
    busy = refusal(503, "temporary-reduced-capacity", retry_after="30")
    lost = httpx.ConnectError("refused")
    script = Script(15, lost, lost, busy, 10_000)
    assert follow(script.client()) == ALL
    bounds = [(0.5, 1), (1, 2), (2, 4), (30, 33)]
    assert len(script.waited) == len(bounds)
    for waited, (least, most) in zip(script.waited, bounds, strict=True):
        assert least <= waited <= most


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (refusal(401, "invalid-api-key"), Unauthorized),
        (refusal(403, "insufficient-scope"), Forbidden),
        (refusal(404, "unknown-watchlist"), NotFound),
        (refusal(429, "quota-exceeded", retry_after="40000"), QuotaExceeded),
        (httpx.Response(302, headers={"location": "https://else.example"}), UnexpectedResponse),
        (httpx.Response(200, text="<html></html>"), UnexpectedResponse),
    ],
)
def test_ends_when_the_service_rejects_the_request(
    answer: httpx.Response, kind: type[Exception]
) -> None:
    script = Script(300, answer)
    with pytest.raises(kind):
        follow(script.client())
    assert len(script.sent) == 2


def test_catches_up_through_the_list_if_the_position_is_refused() -> None:
    refused = [refusal(400, "invalid-parameter", "Last-Event-ID") for _ in range(2)]
    cut = stream_after(0).index(ALL[1].encode())
    page = httpx.Response(200, json=[row(1), row(2)])
    script = Script(cut, refused[0], page, 10_000)
    assert follow(script.client()) == ALL
    assert dict(script.sent[2].url.params) == {"since": ALL[0]}

    hopeless = Script(cut, refused[0], httpx.Response(200, json=[row(1)]), refused[1])
    with pytest.raises(ApiError):
        follow(hopeless.client())


def test_follows_a_running_service(service: tuple[str, str]) -> None:
    """The newest changes of the simulated market, in the order of the list."""
    with Client(*service) as client:
        start = "2026-11-20T15:30:00Z"
        listed = [change.id for change in client.changes(start, limit=30)]
        changes = client.follow_changes(start)
        began = time.monotonic()
        assert [next(changes).id for _ in listed] == listed
        assert time.monotonic() - began < 30
