"""Checks of Schemathesis that know which rules the description states only in words."""

import re

import schemathesis
from schemathesis.openapi.checks import IgnoredAuth
from schemathesis.specs.openapi.checks import ignored_auth

# Rejections of values that match their schema, by the reason why a schema cannot express the rule.
RULES = [
    # OpenAPI 3.1 describes each parameter by itself, and these depend on each other.
    r"^The parameter (date|symbol) is required",
    r"^Use either date, or from and to",
    r"^A range needs (from|to) as well as",
    r"^The range (ends before it begins|is longer than)",
    r"^Invalid value for from: must (be before|not be after) `to`",
    r"^known=public requires asOf",
    r"^With (alternatives|known=public), ",
    r"^Alternatives are only known for current data",
    # A condition (`if`) fails linters and is ignored by generators.
    r"^Invalid value for time: .* omitted for a closed day",
    # An instant is compared with the clock or with the first data of the service.
    r"^The parameter asOf is later than now",
    r"^This service has data since",
    r"^Invalid value for expiresAt: a time in the future",
    r"^Invalid value for since: must be in the past",
    # The service encoded the value in an earlier response.
    r"^The parameter cursor must look like a cursor",
    r"^Invalid value for before: must be the `next` value of a page",
    # The value is a secret, or valid for seconds.
    r"^Invalid value for (current|password): the password is incorrect",
    r"^Invalid value for code: the code is not valid now",
    # The value is looked up in stored data.
    r"^Invalid value for plan: there is no plan with this name",
    r"^Invalid value for symbol: \S+ has no (data|report to change)",
    r"^Invalid value for key: a revoked key cannot be changed",
    r"^No company has the symbol",
    # The market calendar decides whether the time shortens the session.
    r"^Invalid value for date: the override does not shorten",
    # Clients pass on an id from the list of templates, which later releases extend.
    r"^Invalid value for templateId: must be one of",
    # An address must be public, bits behind a prefix must be 0, and a text may list symbols.
    r"^Invalid value for (url|symbols|allowedCidrs): ",
]


@schemathesis.check
def accepts_described_values(ctx, response, case):
    """Fails if a request that matches its schemas is rejected without a documented rule."""
    meta = case.meta
    if meta is None or not meta.generation.mode.is_positive or response.status_code != 400:
        return
    detail = response.json()["detail"]
    if not any(re.search(rule, detail) for rule in RULES):
        raise AssertionError(f"rejected a value that matches its schema: {detail}")


@schemathesis.check
def requires_a_valid_key(ctx, response, case):
    """Fails if a request without a valid key is answered. Many wrong keys in a minute get a 429."""
    try:
        return ignored_auth(ctx, response, case)
    except IgnoredAuth as finding:
        if "got `429 " not in finding.message:
            raise
