"""Errors of the client. All of them are subclasses of `AfterbellError`."""

from __future__ import annotations

import datetime as dt
import email.utils
import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from ._model import decoder_of
from .models import Problem


class AfterbellError(Exception):
    """The base of all errors of this library."""


class ConnectionFailed(AfterbellError):
    """No response arrived: the connection failed, was lost, or timed out."""


class UnexpectedResponse(AfterbellError):
    """A response that the service does not send, such as the page of a proxy."""


class ApiError(AfterbellError):
    """The service rejected the request. Use `code` in programs; the message is for people."""

    def __init__(self, status: int, problem: Problem | None, headers: Mapping[str, str]) -> None:
        self.status = status
        self.problem = problem
        """The whole problem; None if an intermediary such as a proxy sent the response."""
        self.code: str = "no-problem" if problem is None else problem.code
        self.request_id = headers.get("x-request-id")
        self.retry_after_seconds = _seconds_of(headers.get("retry-after"))
        """Seconds until a retry can succeed; None if the response does not specify them."""
        detail = "the response is not a problem document" if problem is None else problem.detail
        super().__init__(f"{status} {self.code}: {detail}")


class InvalidRequest(ApiError):
    """400: a parameter is missing or invalid. `problem.parameter` names it."""


class Unauthorized(ApiError):
    """401: the API key is missing, unknown, expired or revoked."""


class Forbidden(ApiError):
    """403: the key or its plan does not allow the request."""


class NotFound(ApiError):
    """404: the requested object does not exist."""


class UnknownSymbol(NotFound):
    """404: no company has this symbol."""

    @property
    def suggestions(self) -> Sequence[str]:
        """Similar symbols."""
        return () if self.problem is None else self.problem.suggestions or ()

    @property
    def successor_symbol(self) -> str | None:
        """The symbol that replaced it, if any."""
        return None if self.problem is None else self.problem.successor_symbol


class PositionLost(ApiError):
    """410: the history of the service no longer has the change to continue after."""

    @property
    def resume_after(self) -> str | None:
        """Change to continue after, once you have loaded the data you follow again."""
        return None if self.problem is None else self.problem.resume_after


class RateLimited(ApiError):
    """429: too many requests."""


class QuotaExceeded(RateLimited):
    """429: the quota of the plan is used up. `problem.reset_at` is when it resets."""


class ServiceUnavailable(ApiError):
    """5xx: the service, or a proxy in front of it, cannot respond now."""


_BY_CODE: dict[str, type[ApiError]] = {
    "position-lost": PositionLost,
    "unknown-symbol": UnknownSymbol,
    "quota-exceeded": QuotaExceeded,
}
_BY_STATUS: dict[int, type[ApiError]] = {
    400: InvalidRequest,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    429: RateLimited,
}


def api_error(status: int, headers: Mapping[str, str], body: bytes) -> ApiError:
    """Returns the error for a response that is neither 200 nor 304."""
    problem = _problem_in(body)
    default = ServiceUnavailable if status >= 500 else ApiError
    kind = _BY_CODE.get("" if problem is None else problem.code)
    return (kind or _BY_STATUS.get(status, default))(status, problem, headers)


def _problem_in(body: bytes) -> Problem | None:
    try:
        value: Any = json.loads(body, parse_float=Decimal)
        if not isinstance(value.get("code"), str):
            return None
        problem: Problem = decoder_of(Problem)(value)
    except (ValueError, AttributeError, TypeError):
        return None
    return problem


def _seconds_of(retry_after: str | None) -> float | None:
    """Parses seconds, as the service sends them, or a date, as a proxy may send it."""
    if retry_after is None:
        return None
    if retry_after.isdecimal():
        return float(retry_after)
    try:
        at = email.utils.parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    if at.tzinfo is None:
        at = at.replace(tzinfo=dt.timezone.utc)
    return max(0.0, (at - dt.datetime.now(dt.timezone.utc)).total_seconds())
