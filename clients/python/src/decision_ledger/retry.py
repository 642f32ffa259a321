"""When to repeat a request."""

import re
from collections.abc import Callable
from datetime import timezone
from email.utils import parsedate_to_datetime

from decision_ledger import limits
from decision_ledger.errors import LedgerApiError


def retry_delay(attempt: int, error: Exception, random: Callable[[], float], longest: float) -> float:
    """
    Seconds before the next attempt: a random part of a limit that doubles with each attempt (full
    jitter), or at least what the service asked for. `attempt` counts failed attempts, from 1.
    """
    asked = retry_after_of(error)
    if asked is not None:
        return min(asked, limits.MAX_RETRY_AFTER) + random() * limits.FIRST_RETRY
    return random() * float(min(longest, limits.FIRST_RETRY * 2 ** min(attempt - 1, 30)))


def retry_after_of(error: Exception) -> float | None:
    return error.retry_after if isinstance(error, LedgerApiError) else None


def is_far_off(error: Exception) -> bool:
    """Whether the service asked for a longer wait than a caller who needs the answer should have."""
    return (retry_after_of(error) or 0.0) > limits.MAX_RETRY


def is_transient(error: Exception) -> bool:
    """Whether the same request may succeed later: 408, 429, 5xx, and no answer at all."""
    if not isinstance(error, LedgerApiError):
        return True
    return error.status in (408, 429) or error.status >= 500


def parse_retry_after(text: str | None, now: float) -> float | None:
    """Parses seconds or an HTTP date (RFC 9110, 10.2.3). None if it is absent or malformed."""
    if text is None:
        return None
    if re.fullmatch(r"[0-9]{1,9}", text):
        return float(text)
    try:
        date = parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return None
    moment = date if date.tzinfo is not None else date.replace(tzinfo=timezone.utc)
    return max(0.0, moment.timestamp() - now)
