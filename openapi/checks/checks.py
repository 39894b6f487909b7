"""Checks of Schemathesis that know which rules the description states only in words."""

import re

import schemathesis

# Rejections of values that match their schema, by the reason why a schema cannot express the rule.
RULES = [
    # Parameters depend on each other.
    r"^The parameter (date|symbol) is required",
    r"^Use either date, or from and to",
    r"^A range needs (from|to) as well as",
    r"^The range (ends before it begins|is longer than)",
    r"^Invalid value for from: must (be before|not be after) `to`",
    r"^known=public requires asOf",
    r"^Alternatives are only known for current data",
    r"^Invalid value for time: .* omitted for a closed day",
    # An instant is compared with the clock or with the first data of the service.
    r"^The parameter asOf is later than now",
    r"^This service has data since",
    r"^Invalid value for expiresAt: a time in the future",
    r"^Invalid value for since: must be in the past",
    # A pattern does not know the days of a month.
    r"^The parameter since is neither the id of a change nor an instant",
    # The value must be one that the service has stored or issued.
    r"^The parameter cursor must look like a cursor",
    r"^Invalid value for before: must be the `next` value of a page",
    r"^Invalid value for (current|password): the password is incorrect",
    r"^Invalid value for code: the code is not valid now",
    r"^Invalid value for plan: there is no plan with this name",
    r"^Invalid value for templateId: must be one of",
    r"^Invalid value for symbol: \S+ has no (data|report to change)",
    r"^Invalid value for key: a revoked key cannot be changed",
    r"^No company has the symbol",
    r"^Invalid value for date: the override does not shorten",
    # Addresses must be public, and lists of symbols and blocks of addresses are parsed.
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
