from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CachedResponse:
    etag: str
    headers: dict[str, str]
    body: bytes


class ResponseCache:
    """Keeps the most recently used responses by URL, up to a number of bytes in their bodies."""

    def __init__(self, size_bytes_max: int) -> None:
        self._size_bytes_max = size_bytes_max
        self._size_bytes = 0
        self._responses: OrderedDict[str, CachedResponse] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, url: str) -> CachedResponse | None:
        with self._lock:
            if url in self._responses:
                self._responses.move_to_end(url)
            return self._responses.get(url)

    def put(self, url: str, response: CachedResponse) -> None:
        with self._lock:
            previous = self._responses.pop(url, None)
            self._size_bytes -= 0 if previous is None else len(previous.body)
            if len(response.body) > self._size_bytes_max:
                return
            self._responses[url] = response
            self._size_bytes += len(response.body)
            while self._size_bytes > self._size_bytes_max:
                _, oldest = self._responses.popitem(last=False)
                self._size_bytes -= len(oldest.body)
