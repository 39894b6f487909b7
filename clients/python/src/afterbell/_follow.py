"""The part of following the stream of changes that is the same for both clients."""

from __future__ import annotations

import codecs
import json
import random
import re
from collections.abc import Iterator
from decimal import Decimal

import httpx

from ._exchange import TEMPORARY, headers_for
from ._model import decoder_of
from .errors import ApiError, UnexpectedResponse, api_error
from .models import Change

STREAM_PATH = "/v1/changes/stream"
STREAM_TIMEOUT = httpx.Timeout(30, read=60)
"""The service sends a heartbeat every 15 seconds. A connection that is silent for longer is dead."""

_RETRY_SECONDS = 3.0
"""Used until the service says how long to wait before reconnecting."""


class Follower:
    """The position in the changes, and what to do after a failure."""

    def __init__(self, wait_seconds_max: float) -> None:
        self.position: str | None = None
        """Everything up to here was passed on."""
        self._wait_seconds_max = wait_seconds_max
        self._retry_seconds = _RETRY_SECONDS
        self._failures = 0
        self._refused_position: str | None = None

    def connect(self) -> dict[str, str]:
        """Counts an attempt, and returns its headers."""
        self._failures += 1
        headers = headers_for(None) | {"Accept": "text/event-stream"}
        return headers if self.position is None else headers | {"Last-Event-ID": self.position}

    def open(self, response: httpx.Response) -> EventReader:
        """Returns a reader of the response. Raises an error if it is not a stream."""
        if response.is_redirect:
            # Its target would receive the key.
            raise UnexpectedResponse("redirects are not followed: is base_url complete?")
        if response.status_code != 200:
            raise api_error(response.status_code, dict(response.headers), response.content)
        if not response.headers.get("content-type", "").startswith("text/event-stream"):
            raise UnexpectedResponse("the response is not a stream: is base_url a service?")
        return EventReader(self)

    def event(self, fields: dict[str, str]) -> Change | None:
        """Handles an event. Returns its change unless it has none or is repeated."""
        if fields.get("retry", "").isdecimal():
            self._retry_seconds = int(fields["retry"]) / 1000
        else:
            self._failures = 0
        position = fields.get("id")
        if position is None or not self.advance(position) or "data" not in fields:
            return None
        change: Change = decoder_of(Change)(json.loads(fields["data"], parse_float=Decimal))
        return change

    def advance(self, position: str) -> bool:
        """Moves to a later position. Returns False for a repeated change."""
        known = self.position
        if known is not None and (len(position), position) <= (len(known), known):
            return False
        self.position = position
        return True

    def can_catch_up(self, error: Exception | None) -> bool:
        """Returns True if the stream refused the position, which the list of changes may accept."""
        if not isinstance(error, ApiError) or self.position is None:
            return False
        parameter = None if error.problem is None else error.problem.parameter
        is_refused = error.status == 410 or parameter == "Last-Event-ID"
        if not is_refused or self.position == self._refused_position:
            return False
        self._refused_position = self.position
        return True

    def caught_up(self) -> None:
        self._refused_position = self.position

    def delay_or_raise(self, error: ApiError | httpx.TransportError | None) -> float:
        """Returns the seconds to wait before reconnecting. Raises a permanent error."""
        if isinstance(error, ApiError):
            if error.status not in TEMPORARY:
                raise error
            if error.retry_after_seconds is not None:
                if error.retry_after_seconds > self._wait_seconds_max:
                    raise error
                return error.retry_after_seconds * random.uniform(1, 1.1)
        doublings = min(max(0, self._failures - 1), 30)
        delay = min(self._wait_seconds_max, self._retry_seconds * 2.0**doublings)
        # Jitter prevents the clients of a restarted service from reconnecting at the same time.
        return delay * random.uniform(0.5, 1)


class EventReader:
    """Reads the events of one connection (server-sent events of the HTML standard)."""

    def __init__(self, follower: Follower) -> None:
        self._follower = follower
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._pending = ""

    def read(self, chunk: bytes) -> Iterator[Change]:
        """Yields the changes that the bytes complete. An event that is cut off is not returned."""
        self._pending += self._decoder.decode(chunk)
        *blocks, self._pending = re.split(r"\r?\n\r?\n", self._pending)
        for block in blocks:
            fields: dict[str, str] = {}
            for line in re.split(r"\r?\n", block):
                name, _, value = line.partition(":")
                fields[name] = value.removeprefix(" ")
            change = self._follower.event(fields)
            if change is not None:
                yield change
