"""Requests a range and a day with the client of openapi-python-client."""

import datetime as dt
import json
import os

from python_v1 import AuthenticatedClient
from python_v1.api.calendars import calendar_economic
from python_v1.api.earnings import calendar_earnings, calendar_earnings_range
from python_v1.models import EarningsCalendar

client = AuthenticatedClient(
    base_url=os.environ["SERVICE_URL"],
    token=os.environ["SERVICE_API_KEY"],
    auth_header_name="X-Api-Key",
    prefix="",
)
first, last = dt.date(2026, 11, 16), dt.date(2026, 11, 20)
days = calendar_earnings_range.sync(client=client, from_=first, to=last)
day = calendar_earnings.sync(client=client, date=last)
events = calendar_economic.sync(client=client, from_=first, to=last)
assert isinstance(days, list) and isinstance(day, EarningsCalendar) and isinstance(events, list)
print(
    json.dumps(
        {
            "days": [str(it.date) for it in days],
            "day": str(day.date),
            "events": len(events),
        }
    )
)
