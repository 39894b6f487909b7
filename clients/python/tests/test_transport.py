"""Requests, retries, cached responses and errors, with scripted responses."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

import httpx
import pytest

from afterbell import (
    AfterbellError,
    ApiError,
    AsyncClient,
    Client,
    ConnectionFailed,
    Forbidden,
    InvalidRequest,
    NotFound,
    PositionLost,
    QuotaExceeded,
    RateLimited,
    ServiceUnavailable,
    Unauthorized,
    UnexpectedResponse,
    UnknownSymbol,
)

BASE = "https://data.example/earnings"
KEY = "eds_test_made_up"
Answer = httpx.Response | httpx.TransportError


class Script:
    """Answers requests in order, and records them with the delays in between."""

    def __init__(self, *answers: Answer) -> None:
        self.left = list(answers)
        self.sent: list[httpx.Request] = []
        self.waited: list[float] = []

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.sent.append(request)
        answer = self.left.pop(0)
        if isinstance(answer, httpx.TransportError):
            raise answer
        return answer

    def client(self, **options: Any) -> Client:
        http_client = httpx.Client(transport=httpx.MockTransport(self.answer))
        return Client(BASE, KEY, http_client=http_client, sleep=self.waited.append, **options)

    def async_client(self, **options: Any) -> AsyncClient:
        async def sleep(seconds: float) -> None:
            self.waited.append(seconds)

        http_client = httpx.AsyncClient(transport=httpx.MockTransport(self.answer))
        return AsyncClient(BASE, KEY, http_client=http_client, sleep=sleep, **options)


def ok(body: object, **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Response(200, json=body, headers=named)


def refusal(status: int, code: str, **headers: str) -> httpx.Response:
    problem = {"type": f"/errors/{code}", "title": "", "status": status, "code": code}
    problem |= {"detail": "so", "instance": "req_1"}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    media = {"content-type": "application/problem+json"}
    return httpx.Response(status, content=json.dumps(problem), headers=media | named)


def test_sends_the_key_in_a_header_and_the_parameters_in_the_url() -> None:
    script = Script(ok([]), ok({"symbol": "BRK.B"}))
    client = script.client()
    client.calendar_ipo(symbols=["BRK.B", "NRTH"], from_="today", limit=5)
    client.profile("A/B ?")
    assert [str(request.url) for request in script.sent] == [
        f"{BASE}/v1/calendar/ipo?from=today&symbols=BRK.B%2CNRTH&limit=5",
        f"{BASE}/v1/profile/A%2FB%20%3F",
    ]
    assert {request.headers["authorization"] for request in script.sent} == {f"Bearer {KEY}"}


def test_shows_the_key_in_no_text_and_no_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    script = Script(refusal(401, "invalid-api-key"), httpx.ConnectError("refused"))
    client = script.client(retries=0)
    texts = [repr(client), repr(client._exchange.auth)]
    for _ in range(2):
        with pytest.raises(AfterbellError) as caught:
            client.market_status()
        texts.append(repr(caught.value))
    texts += [caplog.text, *(repr(request.headers) for request in script.sent)]
    assert len(script.sent) == 2
    assert "HTTP Request: GET" in caplog.text
    assert [text for text in texts if KEY in text] == []


@pytest.mark.parametrize(
    "url", ["data.example", "ftp://data.example", "http://a:b@c", "http://c?k=1"]
)
def test_rejects_a_base_url_that_it_cannot_use(url: str) -> None:
    with pytest.raises(ValueError, match="base_url"):
        Client(url, KEY)


@pytest.mark.parametrize("key", ["", "two words", "line\nend"])
def test_rejects_an_api_key_that_no_header_can_hold_and_does_not_show_it(key: str) -> None:
    with pytest.raises(ValueError, match="api_key") as caught:
        Client(BASE, key)
    assert key == "" or key not in str(caught.value)


def test_rejects_an_empty_list_of_symbols_which_would_select_all_companies() -> None:
    with pytest.raises(ValueError, match="symbols"):
        Script().client().calendar_ipo(symbols=[])


@pytest.mark.parametrize(
    ("answer", "least", "most"),
    [
        (refusal(429, "rate-limited", retry_after="7"), 7, 7.7),
        (refusal(503, "data-unavailable", retry_after="2"), 2, 2.25),
        (httpx.Response(502, text="a proxy"), 0.5, 0.75),
        (httpx.ReadTimeout("late"), 0.5, 0.75),
        (refusal(503, "internal-error", retry_after="Fri, 20 Nov 2020 00:00:00 GMT"), 0, 0.25),
    ],
)
def test_retries_a_temporary_failure_after_the_requested_delay(
    answer: Answer, least: float, most: float
) -> None:
    script = Script(answer, ok([]))
    assert len(script.client().calendar_ipo()) == 0
    assert len(script.waited) == 1
    assert least <= script.waited[0] <= most


def test_adds_jitter_and_waits_longer_before_each_further_attempt() -> None:
    script = Script(*[httpx.ConnectError("refused")] * 4)
    with pytest.raises(ConnectionFailed, match="refused"):
        script.client().calendar_ipo()
    assert [int(2 * seconds) for seconds in script.waited] == [1, 2, 4]
    assert not any(seconds.is_integer() for seconds in script.waited)


def test_raises_an_error_that_asks_for_a_longer_delay_than_allowed() -> None:
    script = Script(refusal(429, "quota-exceeded", retry_after="61"))
    with pytest.raises(QuotaExceeded) as caught:
        script.client().calendar_ipo()
    assert (caught.value.retry_after_seconds, script.waited) == (61, [])


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (400, "invalid-date", InvalidRequest),
        (401, "invalid-api-key", Unauthorized),
        (403, "insufficient-scope", Forbidden),
        (404, "not-found", NotFound),
        (404, "unknown-symbol", UnknownSymbol),
        (410, "position-lost", PositionLost),
        (429, "rate-limited", RateLimited),
        (414, "uri-too-long", ApiError),
        (500, "internal-error", ServiceUnavailable),
    ],
)
def test_raises_the_error_of_the_problem(status: int, code: str, kind: type[ApiError]) -> None:
    script = Script(refusal(status, code, x_request_id="req_1"))
    with pytest.raises(ApiError, match=f"{status} {code}: so") as caught:
        script.client(retries=0).calendar_ipo()
    assert type(caught.value) is kind
    error = caught.value
    assert (error.status, error.code, error.request_id) == (status, code, "req_1")
    assert caught.value.problem is not None


def test_reports_a_response_that_is_not_of_the_service() -> None:
    page = httpx.Response(404, text="<h1>Not Found</h1>")
    with pytest.raises(NotFound, match="not a problem document") as caught:
        Script(page).client().calendar_ipo()
    assert (caught.value.code, caught.value.problem) == ("no-problem", None)
    with pytest.raises(UnexpectedResponse, match="not JSON"):
        Script(httpx.Response(200, html="<h1>Welcome</h1>")).client().calendar_ipo()


def test_follows_no_redirect_and_no_link_to_another_host() -> None:
    moved = Script(httpx.Response(302, headers={"location": "https://elsewhere.example/"}))
    with pytest.raises(UnexpectedResponse, match="redirects"):
        moved.client().calendar_ipo()
    linked = Script(ok([], link='<https://elsewhere.example/v1/>; rel="next"'))
    with pytest.raises(UnexpectedResponse, match="another host"):
        linked.client().calendar_ipo()
    assert [len(moved.sent), len(linked.sent)] == [1, 1]


def test_returns_the_cached_response_while_the_service_confirms_it() -> None:
    unchanged = httpx.Response(304, headers={"etag": '"a"', "x-request-id": "req_2"})
    script = Script(
        ok({"symbol": "NRTH"}, etag='"a"'), unchanged, ok({"symbol": "VLY"}, etag='"b"')
    )
    client = script.client()
    profiles = [client.profile("NRTH") for _ in range(3)]
    assert [profile.symbol for profile in profiles] == ["NRTH", "NRTH", "VLY"]
    assert [profile.meta and profile.meta.is_cached for profile in profiles] == [False, True, False]
    assert profiles[1].meta is not None and profiles[1].meta.request_id == "req_2"
    assert [request.headers.get("if-none-match") for request in script.sent] == [None, '"a"', '"a"']


def test_keeps_the_most_recently_used_responses_up_to_the_size() -> None:
    answers = [ok([], etag='"a"') for _ in range(6)]
    script = Script(*answers)
    client = script.client(cache_bytes=2 * len(answers[0].content))
    for limit in [1, 2, 1, 3, 1, 2]:
        client.calendar_ipo(limit=limit)
    conditional = ["if-none-match" in request.headers for request in script.sent]
    assert conditional == [False, False, True, False, True, False]


def test_keeps_no_response_if_the_cache_is_off() -> None:
    script = Script(ok([], etag='"a"'), ok([], etag='"a"'))
    client = script.client(cache_bytes=0)
    client.calendar_ipo()
    client.calendar_ipo()
    assert ["if-none-match" in request.headers for request in script.sent] == [False, False]


def change(number: int) -> dict[str, object]:
    return {"id": f"chg_{number}", "at": "2026-11-20T15:00:00Z", "changedFields": []}


def next_page(path: str) -> str:
    return f'<{path}>; rel="next"'


def test_iterates_over_changes_page_by_page_and_resumes_after_the_last_id() -> None:
    pages = [
        ok([change(1), change(2)], link=next_page("/v1/changes?since=chg_2")),
        ok([change(3)]),
        ok([]),
        ok([change(4)]),
    ]
    script = Script(*pages)
    changes = script.client().iter_changes("chg_0", symbols="NRTH", poll_seconds=30)
    assert [next(changes).id for _ in range(4)] == ["chg_1", "chg_2", "chg_3", "chg_4"]
    assert script.waited == [30, 30]
    assert [request.url.params["since"] for request in script.sent] == [
        "chg_0",
        "chg_2",
        "chg_3",
        "chg_3",
    ]


def test_ends_the_iteration_without_polling() -> None:
    script = Script(ok([change(1)]))
    assert [it.id for it in script.client().iter_changes("chg_0")] == ["chg_1"]


def test_the_async_client_retries_caches_and_iterates_in_the_same_way() -> None:
    script = Script(
        refusal(429, "rate-limited", retry_after="7"),
        ok([change(1)], etag='"a"', link=next_page("/v1/changes?since=chg_1")),
        ok([change(2)]),
        httpx.Response(304),
        ok([change(2)]),
        refusal(404, "unknown-symbol"),
    )

    async def run() -> list[str]:
        async with script.async_client() as client:
            assert repr(client) == f"AsyncClient({BASE!r})"
            ids = [it.id async for it in client.iter_changes("chg_0")]
            ids += [it.id async for it in client.iter_changes("chg_0")]
            with pytest.raises(UnknownSymbol):
                await client.earnings("NONE")
            return ids

    assert asyncio.run(run()) == ["chg_1", "chg_2", "chg_1", "chg_2"]
    assert len(script.waited) == 1 and script.waited[0] >= 7


@pytest.mark.parametrize("is_own", [True, False])
def test_closes_only_its_own_connections(is_own: bool) -> None:
    http_client = httpx.Client()
    with Client(BASE, KEY, http_client=None if is_own else http_client) as client:
        used = client._http
    assert used.is_closed is is_own
    http_client.close()


def test_tells_where_to_continue_after_a_lost_position() -> None:
    body = {"type": "/errors/position-lost", "title": "", "status": 410, "code": "position-lost"}
    body |= {"detail": "so", "instance": "r", "parameter": "since", "resumeAfter": "chg_7"}
    script = Script(httpx.Response(410, json=body))
    with pytest.raises(PositionLost) as lost:
        list(script.client().iter_changes("chg_9"))
    assert lost.value.resume_after == "chg_7"
