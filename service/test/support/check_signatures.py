"""Checks webhook signature vectors with Python's standard library only.

Usage: check_signatures.py VECTORS.json. Prints one JSON line per case: [name, verifies].
"""

import hashlib
import hmac
import json
import re
import sys


def verifies(case: dict, tolerance: int) -> bool:
    headers = case["headers"]
    timestamp = case["timestamp"]
    if not re.fullmatch(r"[0-9]{1,15}", timestamp):
        return False
    if not re.fullmatch(r"sha256=[0-9a-fA-F]{64}", headers["signature"]):
        return False
    if abs(case["now"] - int(timestamp)) > tolerance:
        return False
    signed = timestamp.encode() + bytes.fromhex(case["bodyHex"])
    expected = hmac.new(case["secret"].encode(), signed, hashlib.sha256).digest()
    matches = False
    for header in headers.values():
        received = bytes.fromhex(header.removeprefix("sha256="))
        matches |= hmac.compare_digest(expected, received)
    return matches


with open(sys.argv[1], encoding="utf-8") as file:
    vectors = json.load(file)
for case in vectors["cases"]:
    print(json.dumps([case["name"], verifies(case, vectors["toleranceSeconds"])]))
