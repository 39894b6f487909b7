from __future__ import annotations

import datetime as dt
import json
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from afterbell import WebhookRejected, parse_delivery, verify_webhook

VECTORS = Path(__file__).parents[3] / "vectors" / "webhook-signatures.json"
CASES: list[dict[str, Any]] = json.loads(VECTORS.read_text())["cases"]
STANDARD_CASES: list[dict[str, Any]] = json.loads(
    (VECTORS.parent / "standard-webhooks.json").read_text()
)["cases"]
GOOD = CASES[0]
BODY = bytes.fromhex(GOOD["bodyHex"])


def headers_of(case: dict[str, Any], brand: str = "Service") -> dict[str, str]:
    signed_id = re.search(rb'"id": ?"(del_\w+)"', bytes.fromhex(case["bodyHex"]))
    headers = {
        "Delivery-Id": signed_id[1].decode() if signed_id else "del_none",
        "Timestamp": case["timestamp"],
        "Signature": case["headers"]["signature"],
        "Signature-Next": case["headers"].get("signatureNext", ""),
        "Signature-Previous": case["headers"].get("signaturePrevious", ""),
    }
    return {f"X-{brand}-{name}": value for name, value in headers.items()}


def rejection(case: dict[str, Any], headers: dict[str, str] | None = None) -> WebhookRejected:
    body = bytes.fromhex(case["bodyHex"])
    with pytest.raises(WebhookRejected) as caught:
        verify_webhook(body, headers or headers_of(case), case["secret"], now=case["now"])
    return caught.value


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_accepts_or_rejects_a_signature_as_the_test_vector_expects(case: dict[str, Any]) -> None:
    if not case["verifies"]:
        assert rejection(case).reason == case["reason"]
        return
    body = bytes.fromhex(case["bodyHex"])
    verified = verify_webhook(body, headers_of(case), case["secret"], now=case["now"])
    assert verified.sent_at.timestamp() == int(case["timestamp"])


@pytest.mark.parametrize("case", STANDARD_CASES, ids=[case["name"] for case in STANDARD_CASES])
def test_verifies_the_headers_of_standard_webhooks_as_the_vector_expects(
    case: dict[str, Any],
) -> None:
    headers = {f"webhook-{name}": case[name] for name in ("id", "timestamp", "signature")}
    secrets = ["whsec_b3RoZXI=", case["secret"]]
    if case["verifies"]:
        verified = verify_webhook(case["body"], headers, secrets, now=case["now"])
        assert (verified.delivery_id, verified.is_test) == (case["id"], False)
        return
    with pytest.raises(WebhookRejected) as caught:
        verify_webhook(case["body"], headers, secrets, now=case["now"])
    assert caught.value.reason == case["reason"]


def test_reports_a_test_delivery_by_its_header() -> None:
    headers = headers_of(GOOD) | {"X-Service-Test": "true"}
    assert verify_webhook(BODY, headers, GOOD["secret"], now=GOOD["now"]).is_test


def test_accepts_text_other_brands_and_any_of_several_secrets() -> None:
    headers = {name.lower(): text for name, text in headers_of(GOOD, "Quiet-Data").items()}
    secrets = ["whsec_another", GOOD["secret"]]
    verified = verify_webhook(BODY.decode(), headers, secrets, now=GOOD["now"], brand="Quiet-Data")
    assert verified.delivery_id == json.loads(BODY)["id"]


@pytest.mark.parametrize(
    ("name", "explanation"),
    [
        ("a dot between timestamp and body", "a dot between"),
        ("the body serialized again with spaces", "serialized again"),
        ("the secret without its prefix", "incomplete"),
        ("the secret with a line end", "incomplete"),
        ("another secret", "no secret matches"),
    ],
)
def test_names_the_usual_mistakes(name: str, explanation: str) -> None:
    [case] = [case for case in CASES if case["name"] == name]
    assert explanation in str(rejection(case))


@pytest.mark.parametrize("end", ["Delivery-Id", "Timestamp", "Signature"])
def test_reports_a_missing_header_by_its_name(end: str) -> None:
    headers = {name: value for name, value in headers_of(GOOD).items() if not name.endswith(end)}
    error = rejection(GOOD, headers)
    assert (error.reason, end in str(error)) == ("missing", True)


def test_rejects_a_header_with_the_id_of_another_delivery() -> None:
    headers = headers_of(GOOD) | {"X-Service-Delivery-Id": "del_another"}
    assert rejection(GOOD, headers).reason == "other-id"


@pytest.mark.parametrize("secret", ["", [], ["whsec_a", ""]])
def test_requires_a_secret(secret: str | list[str]) -> None:
    with pytest.raises(ValueError, match="secret"):
        verify_webhook(BODY, headers_of(GOOD), secret)


def test_parses_a_delivery() -> None:
    delivery = parse_delivery(BODY)
    assert (delivery.template_id, delivery.symbol) == ("earnings_schedule", "ACME")
    assert delivery.created_at == dt.datetime(2026, 11, 20, 14, 30, tzinfo=dt.timezone.utc)
    assert (delivery.data["epsEstimate"], delivery.data["eps"]) == (Decimal("1.2"), None)
    assert delivery.changed_fields == ("epsEstimate",)


def test_parses_a_cloud_event_like_a_delivery_in_our_own_form() -> None:
    body = STANDARD_CASES[0]["body"]
    delivery = parse_delivery(body)
    assert (delivery.template_id, delivery.symbol) == ("earnings_schedule", "ACME")
    assert (delivery.data["epsEstimate"], delivery.changed_fields) == (
        Decimal("1.2"),
        ("epsEstimate",),
    )
    unchanged = body.replace('"changedfields":"epsEstimate",', "")
    assert parse_delivery(unchanged).changed_fields == ()


@pytest.mark.parametrize(
    "body", ["", "[]", "null", '{"specversion":"1.0"}', '{"id":"del_1"}', '{"id":1,"created_at":2}']
)
def test_rejects_a_body_that_is_not_a_delivery(body: str) -> None:
    with pytest.raises(ValueError):
        parse_delivery(body)
