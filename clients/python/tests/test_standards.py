"""Reads requests of the service with the reference libraries of the standards that it supports."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest
from cloudevents.core.bindings.http import HTTPMessage, from_structured_event
from standardwebhooks import Webhook, WebhookVerificationError

from afterbell import parse_delivery, verify_webhook


@pytest.fixture(scope="module")
def requests() -> list[dict[str, Any]]:
    text = os.environ.get("SIGNED_REQUESTS")
    if text is None:
        pytest.skip("set SIGNED_REQUESTS to requests of the service")
    values: list[dict[str, Any]] = json.loads(text)
    return values


def test_standard_webhooks_accepts_exactly_the_valid_requests(
    requests: list[dict[str, Any]],
) -> None:
    for request in requests:
        webhook, headers = Webhook(request["secret"]), dict(request["headers"])
        if request["isValid"]:
            webhook.verify(request["body"], headers)
        else:
            with pytest.raises(WebhookVerificationError):
                webhook.verify(request["body"], headers)


def test_cloudevents_reads_the_same_delivery(requests: list[dict[str, Any]]) -> None:
    [request] = [each for each in requests if each["name"] == "a CloudEvent"]
    headers, body = dict(request["headers"]), request["body"]
    assert headers["Content-Type"] == "application/cloudevents+json"
    event = from_structured_event(HTTPMessage(headers=headers, body=body.encode()))
    verified = verify_webhook(body, headers, request["secret"])
    delivery = parse_delivery(body)
    assert (event.get_id(), event.get_type()) == (verified.delivery_id, delivery.event_type)
    assert (event.get_subject(), event.get_time()) == (delivery.symbol, delivery.created_at)
    assert event.get_source() == "/account/v1/webhooks/whe_1"
    assert event.get_extension("changedfields") == ",".join(delivery.changed_fields)
    data = event.get_data()
    assert isinstance(data, dict)
    assert data["epsEstimate"] == 1.2
