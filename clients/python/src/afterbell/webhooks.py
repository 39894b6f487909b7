"""Verifies and parses webhook requests."""

from __future__ import annotations

import datetime as dt
import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from .errors import AfterbellError

Reason = Literal["missing", "malformed", "too-old", "in-the-future", "mismatch", "other-id"]


class WebhookRejected(AfterbellError):
    """The request is not a recent one of the service. Respond with 401, without the message."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason: Reason = reason


@dataclass(frozen=True, slots=True)
class VerifiedWebhook:
    delivery_id: str
    """The same in every attempt. Do not process the same id twice."""
    sent_at: dt.datetime
    """Do not replace the data of a company with data that was sent earlier."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """The body of a webhook request. New templates and fields may be added at any time."""

    id: str
    created_at: dt.datetime
    template_id: str
    event_type: str
    symbol: str
    data: Mapping[str, Any]
    """Data as of just before this request, in the names and formats of the API."""
    changed_fields: Sequence[str]
    """Fields whose values may be new to you."""


def verify_webhook(
    raw_body: bytes | str,
    headers: Mapping[str, str],
    secret: str | Sequence[str],
    *,
    tolerance_seconds: float = 300,
    now: float | None = None,
    brand: str = "Service",
) -> VerifiedWebhook:
    """
    Verifies that the service sent a request, and that it did so recently.

    `raw_body` is the body as received, before parsing. Pass several secrets during a rotation: the
    request then carries a second signature, and either secret is accepted. `now` is the time to
    compare with, in seconds since 1970. `brand` is the brand in the names of the headers.

    Raises `WebhookRejected` for an invalid request.
    """
    body = raw_body.encode() if isinstance(raw_body, str) else bytes(raw_body)
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not secrets or not all(secrets):
        raise ValueError("secret must be a webhook secret: is its setting empty?")
    values = {name.lower(): value for name, value in headers.items()}

    def header(end: str) -> str:
        return values.get(f"x-{brand}-{end}".lower(), "")

    for end in ("Signature", "Timestamp", "Delivery-Id"):
        if not header(end):
            raise WebhookRejected("missing", f"X-{brand}-{end} is missing: is {brand} the brand?")
    timestamp, delivery_id = header("Timestamp"), header("Delivery-Id")
    if not re.fullmatch(r"[0-9]{1,15}", timestamp):
        raise WebhookRejected("malformed", f"X-{brand}-Timestamp is not a Unix time")
    signatures = [header(end) for end in ("Signature", "Signature-Next", "Signature-Previous")]
    if not _SIGNATURE.fullmatch(signatures[0]):
        detail = f"X-{brand}-Signature is not sha256= and 64 hexadecimal digits"
        raise WebhookRejected("malformed", detail)
    if not _is_signed(timestamp.encode() + body, secrets, signatures):
        raise WebhookRejected("mismatch", _diagnose(timestamp.encode(), body, secrets, signatures))

    age_seconds = int(time.time() if now is None else now) - int(timestamp)
    if age_seconds > tolerance_seconds:
        detail = f"it was sent {age_seconds} s ago: a replay, or your clock is ahead"
        raise WebhookRejected("too-old", detail)
    if age_seconds < -tolerance_seconds:
        detail = f"it was sent {-age_seconds} s in the future: your clock is behind"
        raise WebhookRejected("in-the-future", detail)
    signed_id = _id_in(body)
    if signed_id not in (None, delivery_id):
        raise WebhookRejected("other-id", f"the body is {signed_id}, the header {delivery_id}")
    return VerifiedWebhook(delivery_id, dt.datetime.fromtimestamp(int(timestamp), dt.timezone.utc))


def parse_delivery(raw_body: bytes | str) -> Delivery:
    """
    Parses a body that `verify_webhook` accepted. Numbers with decimals are `Decimal`.

    Route by `template_id` and `event_type`, and respond with 2xx to those you do not know. Raises
    `ValueError` if the body is not a delivery.
    """
    try:
        value = json.loads(raw_body, parse_float=Decimal)
        return Delivery(
            id=value["id"],
            created_at=dt.datetime.fromisoformat(value["created_at"].replace("Z", "+00:00")),
            template_id=value["template_id"],
            event_type=value["event_type"],
            symbol=value["context"]["symbol"],
            data=dict(value["data"]),
            changed_fields=tuple(value["changed_fields"]),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError("the body is not a delivery") from error


_SIGNATURE = re.compile(r"sha256=[0-9a-fA-F]{64}")


def _is_signed(signed: bytes, secrets: Sequence[str], signatures: Sequence[str]) -> bool:
    matches = [
        hmac.compare_digest(_sign(signed, secret), signature.lower())
        for secret in secrets
        for signature in signatures
        if _SIGNATURE.fullmatch(signature)
    ]
    return any(matches)


def _sign(signed: bytes, secret: str) -> str:
    return "sha256=" + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()


def _diagnose(
    timestamp: bytes, body: bytes, secrets: Sequence[str], signatures: Sequence[str]
) -> str:
    """Names the usual mistakes. A signature explained here is still rejected."""
    if _is_signed(timestamp + b"." + body, secrets, signatures):
        return "the signature has a dot between timestamp and body: there must be no separator"
    if _is_signed(timestamp + _serialized_again(body), secrets, signatures):
        return "the body was parsed and serialized again: the signature covers the raw bytes"
    stripped = [secret.strip() for secret in secrets]
    complete = stripped + [f"whsec_{secret}" for secret in stripped]
    if _is_signed(timestamp + body, complete, signatures):
        return "the secret is incomplete: use it as displayed, with whsec_ and without white space"
    return (
        "no secret matches: the body was parsed and serialized again, the secret belongs to another "
        "endpoint or was rotated, or there is a separator between timestamp and body"
    )


def _serialized_again(body: bytes) -> bytes:
    """Returns the body as the service serializes JSON."""
    try:
        value = json.loads(body)
    except ValueError:
        return body
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _id_in(body: bytes) -> str | None:
    """Returns the id in the body, which is signed; the id in the header is not."""
    try:
        value = json.loads(body)
    except ValueError:
        return None
    delivery_id = value.get("id") if isinstance(value, dict) else None
    return delivery_id if isinstance(delivery_id, str) else None
