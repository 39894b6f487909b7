"""Client library of Afterbell, the self-hostable earnings data service."""

from ._meta import Meta
from ._tables import Rows
from .client import AsyncClient, Client
from .errors import (
    AfterbellError,
    ApiError,
    ConnectionFailed,
    Forbidden,
    InvalidRequest,
    NotFound,
    PositionLost,
    QuotaExceeded,
    RateLimited,
    ServiceUnavailable,
    Unauthorized,
    UnexpectedResponse,
    UnknownSymbol,
)
from .webhooks import Delivery, VerifiedWebhook, WebhookRejected, parse_delivery, verify_webhook

__all__ = [
    "AfterbellError",
    "ApiError",
    "AsyncClient",
    "Client",
    "ConnectionFailed",
    "Delivery",
    "Forbidden",
    "InvalidRequest",
    "Meta",
    "NotFound",
    "PositionLost",
    "QuotaExceeded",
    "RateLimited",
    "Rows",
    "ServiceUnavailable",
    "Unauthorized",
    "UnexpectedResponse",
    "UnknownSymbol",
    "VerifiedWebhook",
    "WebhookRejected",
    "parse_delivery",
    "verify_webhook",
]
