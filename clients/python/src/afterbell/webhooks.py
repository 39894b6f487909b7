"""Verifies and parses webhook requests."""

from __future__ import annotations

import base64
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
    is_test: bool = False
    """A test delivery, with real data. The mark is a header that the signature does not cover."""


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
    compare with, in seconds since 1970. `brand` is the brand in the names of the headers. A request
    without our headers is verified by those of Standard Webhooks, for endpoints that send them.

    Raises `WebhookRejected` for an invalid request.
    """
    body = raw_body.encode() if isinstance(raw_body, str) else bytes(raw_body)
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not secrets or not all(secrets):
        raise ValueError("secret must be a webhook secret: is its setting empty?")
    values = {name.lower(): value for name, value in headers.items()}
    request = _read_headers(values, brand)
    timestamp, delivery_id = request.timestamp, request.delivery_id
    if request.is_standard:
        if not _is_standard(f"{delivery_id}.{timestamp}.".encode() + body, secrets, request):
            detail = "no secret matches webhook-signature, which covers the raw bytes of the body"
            raise WebhookRejected("mismatch", detail)
    elif not _is_signed(timestamp.encode() + body, secrets, request.signatures):
        detail = _diagnose(timestamp.encode(), body, secrets, request.signatures)
        raise WebhookRejected("mismatch", detail)

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
    return VerifiedWebhook(
        delivery_id,
        dt.datetime.fromtimestamp(int(timestamp), dt.timezone.utc),
        is_test=values.get(f"x-{brand}-test".lower()) == "true",
    )


def parse_delivery(raw_body: bytes | str) -> Delivery:
    """
    Parses a body that `verify_webhook` accepted, in our form or as a CloudEvent. Numbers with
    decimals are `Decimal`.

    Route by `template_id` and `event_type`, and respond with 2xx to those you do not know. Raises
    `ValueError` if the body is not a delivery.
    """
    try:
        value = json.loads(raw_body, parse_float=Decimal)
        if "specversion" in value:
            value = _from_cloud_event(value)
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


def _from_cloud_event(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns the members of a delivery. Changed fields are separated by commas."""
    return {
        "id": event["id"],
        "created_at": event["time"],
        "template_id": event["templateid"],
        "event_type": event["type"],
        "context": {"symbol": event["subject"]},
        "data": event["data"],
        "changed_fields": [name for name in event.get("changedfields", "").split(",") if name],
    }


@dataclass(frozen=True, slots=True)
class _SignedHeaders:
    delivery_id: str
    timestamp: str
    signatures: Sequence[str]
    is_standard: bool
    """True if the signatures are those of Standard Webhooks."""


_SIGNATURE = re.compile(r"sha256=[0-9a-fA-F]{64}")
_STANDARD_SIGNATURE = re.compile(r"v1,[A-Za-z0-9+/]{43}=")


def _read_headers(values: Mapping[str, str], brand: str) -> _SignedHeaders:
    """Reads our headers, or those of Standard Webhooks if a request has only them."""

    def header(name: str) -> str:
        return values.get(name.lower(), "")

    own = f"X-{brand}-"
    is_standard = not header(f"{own}Signature") and bool(header("webhook-signature"))
    names = ("webhook-signature", "webhook-timestamp", "webhook-id")
    if not is_standard:
        names = (f"{own}Signature", f"{own}Timestamp", f"{own}Delivery-Id")
    for name in names:
        if not header(name):
            raise WebhookRejected("missing", f"{name} is missing: is {brand} the brand?")
    signature, timestamp, delivery_id = (header(name) for name in names)
    if not re.fullmatch(r"[0-9]{1,15}", timestamp):
        raise WebhookRejected("malformed", f"{names[1]} is not a Unix time")
    if is_standard:
        signatures = [text for text in signature.split() if _STANDARD_SIGNATURE.fullmatch(text)]
        if not signatures:
            raise WebhookRejected("malformed", "webhook-signature has no v1 signature")
        return _SignedHeaders(delivery_id, timestamp, signatures, is_standard)
    if not _SIGNATURE.fullmatch(signature):
        detail = f"{names[0]} is not sha256= and 64 hexadecimal digits"
        raise WebhookRejected("malformed", detail)
    others = [header(f"{own}Signature-{end}") for end in ("Next", "Previous")]
    return _SignedHeaders(delivery_id, timestamp, [signature, *others], is_standard)


def _is_standard(signed: bytes, secrets: Sequence[str], request: _SignedHeaders) -> bool:
    matches = []
    for secret in secrets:
        try:
            key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
        except ValueError:
            continue
        digest = hmac.new(key, signed, hashlib.sha256).digest()
        expected = "v1," + base64.b64encode(digest).decode()
        matches += [hmac.compare_digest(expected, text) for text in request.signatures]
    return any(matches)


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
