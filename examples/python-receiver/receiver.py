"""A receiver with nothing but Python's standard library.

WEBHOOK_SECRET is the endpoint's secret (two, with a comma between them, while you change it);
PORT is where to listen.
"""

import hashlib
import hmac
import json
import os
import re
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRETS = [text for text in os.environ.get("WEBHOOK_SECRET", "").split(",") if text]
if not SECRETS:
    sys.exit("WEBHOOK_SECRET is wanted: the secret of your endpoint")
BRAND = os.environ.get("WEBHOOK_BRAND", "Service")
TOLERANCE_SECONDS = 300
BODY_BYTES_MAX = 64 * 1024

# In your service these two are tables of your database, written in one transaction.
seen: set[str] = set()
schedules: dict[str, dict] = {}


def verify(headers, body: bytes) -> str | None:
    """Why a request is refused; None when the service sent it, and lately."""
    timestamp = headers.get(f"X-{BRAND}-Timestamp", "")
    if not re.fullmatch(r"[0-9]{1,15}", timestamp):
        return "no timestamp"
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return "too old, or a clock is wrong"
    # While a secret changes there is a second signature.
    names = ["Signature", "Signature-Next", "Signature-Previous"]
    received = [headers.get(f"X-{BRAND}-{name}", "") for name in names]
    for secret in SECRETS:
        # The body follows the timestamp directly, and the key is the secret as displayed.
        digest = hmac.new(secret.encode(), timestamp.encode() + body, hashlib.sha256)
        expected = f"sha256={digest.hexdigest()}"
        for signature in received:
            if hmac.compare_digest(expected.encode(), signature.encode()):
                return None
    return "no secret makes this signature"


def store(delivery: dict) -> None:
    symbol = delivery["context"]["symbol"]
    route = (delivery["template_id"], delivery["event_type"])
    if route == ("earnings_schedule", "earnings_schedule.changed"):
        schedules[symbol] = delivery["data"]
        changed = ", ".join(delivery["changed_fields"])
        print(f"stored {symbol} {delivery['data']['date']} ({changed})", flush=True)
    else:
        # An event of tomorrow: nothing to do, and no reason to have it sent again.
        print(f"ignored {delivery['event_type']}", flush=True)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch(r"[0-9]{1,9}", length):
            return self.answer(411, {"error": "the length of the body is not said"})
        if int(length) > BODY_BYTES_MAX:
            return self.answer(413, {"error": "the body is too large"})
        body = self.rfile.read(int(length))

        # 1. Verify the signature of the raw bytes, before anything trusts or parses them.
        refusal = verify(self.headers, body)
        if refusal is not None:
            print(f"refused: {refusal}", file=sys.stderr, flush=True)
            return self.answer(401, {"error": "the signature does not match"})

        # 2. Drop what was processed before. The body is signed, so its id is the one that counts.
        delivery = json.loads(body)
        if delivery["id"] in seen:
            return self.answer(200, {"duplicate": True})

        # 3. and 4. Route by template and event, and store. What raises is sent again later.
        store(delivery)
        seen.add(delivery["id"])

        # 5. Answer 2xx once it is safe.
        return self.answer(200, {"ok": True})

    def answer(self, status: int, body: dict) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_args) -> None:
        """Requests are not logged one by one."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver)
    print(f"listening on {server.server_port}", flush=True)
    server.serve_forever()
