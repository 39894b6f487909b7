"""A receiver that uses only Python's standard library.

WEBHOOK_SECRET is the endpoint's secret (two, separated by a comma, during a rotation); PORT is the
port to listen on.
"""

import hashlib
import hmac
import json
import os
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRETS = [text for text in os.environ.get("WEBHOOK_SECRET", "").split(",") if text]
if not SECRETS:
    sys.exit("set WEBHOOK_SECRET to the secret of your endpoint")
BRAND = os.environ.get("WEBHOOK_BRAND", "Service")
TOLERANCE_SECONDS = 300
BODY_BYTES_MAX = 64 * 1024

# The field that dates the data of each event type.
DAY_FIELDS = {
    "earnings_schedule.changed": "date",
    "dividend_declared.changed": "exDate",
    "earnings_reaction.changed": "reactionDate",
}

# In your service, use two database tables, written in one transaction.
seen: set[str] = set()
newest: dict[tuple[str, str], tuple[int, dict]] = {}
lock = threading.Lock()


def verify(headers, body: bytes) -> str | None:
    """Returns the reason to reject a request; None if the service sent it recently."""
    timestamp = headers.get(f"X-{BRAND}-Timestamp", "")
    if not re.fullmatch(r"[0-9]{1,15}", timestamp):
        return "no timestamp"
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return "too old, or a clock is wrong"
    # During a rotation there is a second signature.
    names = ["Signature", "Signature-Next", "Signature-Previous"]
    received = [headers.get(f"X-{BRAND}-{name}", "") for name in names]
    for secret in SECRETS:
        # The body follows the timestamp directly, and the key is the secret as displayed.
        digest = hmac.new(secret.encode(), timestamp.encode() + body, hashlib.sha256)
        expected = f"sha256={digest.hexdigest()}"
        for signature in received:
            if hmac.compare_digest(expected.encode(), signature.lower().encode()):
                return None
    return "no secret matches this signature"


def parse(body: bytes) -> dict:
    """Parses a delivery, which is a CloudEvent if the endpoint was created with that format."""
    delivery = json.loads(body)
    if "specversion" not in delivery:
        return delivery
    return {
        "id": delivery["id"],
        "template_id": delivery["templateid"],
        "event_type": delivery["type"],
        "context": {"symbol": delivery["subject"]},
        "data": delivery["data"],
        "changed_fields": [name for name in delivery.get("changedfields", "").split(",") if name],
    }


def store(delivery: dict, sent_at: int, is_test: bool) -> None:
    symbol, event_type = delivery["context"]["symbol"], delivery["event_type"]
    if event_type not in DAY_FIELDS:
        # An event type of the future: nothing to do, and no reason for a retry.
        print(f"ignored {event_type}", flush=True)
        return
    key = (delivery["template_id"], symbol)
    if key in newest and newest[key][0] > sent_at:
        # A slow request may end after a newer one.
        print(f"kept newer {symbol}", flush=True)
        return
    newest[key] = (sent_at, delivery["data"])
    changed = ", ".join(delivery["changed_fields"])
    # A test has current data too, so it is safe to store. Do not notify or trade because of it.
    end = " [test]" if is_test else ""
    print(
        f"stored {symbol} {delivery['data'][DAY_FIELDS[event_type]]} ({changed}){end}", flush=True
    )


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch(r"[0-9]{1,9}", length):
            return self.respond(411, {"error": "Content-Length is missing"})
        if int(length) > BODY_BYTES_MAX:
            return self.respond(413, {"error": "the body is too large"})
        body = self.rfile.read(int(length))

        # 1. Verify the signature of the raw bytes, before anything trusts or parses them.
        problem = verify(self.headers, body)
        if problem is not None:
            print(f"rejected: {problem}", file=sys.stderr, flush=True)
            return self.respond(401, {"error": "the signature does not match"})

        delivery = parse(body)
        with lock:
            # 2. Deduplicate by the id in the body, which is signed.
            if delivery["id"] in seen:
                return self.respond(200, {"duplicate": True})

            # 3. and 4. Route by template and event, and store. An exception leads to a retry.
            sent_at = int(self.headers[f"X-{BRAND}-Timestamp"])
            store(delivery, sent_at, self.headers.get(f"X-{BRAND}-Test") == "true")
            seen.add(delivery["id"])

        # 5. Respond with 2xx once the data is safe.
        return self.respond(200, {"ok": True})

    def respond(self, status: int, body: dict) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_args) -> None:
        """Do not log every request."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver)
    print(f"listening on {server.server_port}", flush=True)
    server.serve_forever()
