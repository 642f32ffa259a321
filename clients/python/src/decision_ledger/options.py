"""The options of a client."""

import math
import os
import random
import signal
import ssl
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from decision_ledger import limits
from decision_ledger.errors import Problem
from decision_ledger.http import Key
from decision_ledger.mask import Mask
from decision_ledger.outbox.open import OutboxOptions


@dataclass(frozen=True)
class Options:
    """Times are in seconds, sizes in bytes of UTF-8."""

    #: URL of the service, such as `https://ledger.example.com`; a path prefix is kept.
    url: str
    #: The API key or a session token, or a function that returns it for each request.
    key: Key = field(repr=False)
    #: A folder where decisions are kept until they are delivered.
    outbox: "str | os.PathLike[str] | OutboxOptions | None" = None
    #: What is removed from decisions before they are queued, stored or sent.
    mask: Mask | None = None
    #: Called for each problem. Default: a line of the log, at most one per kind and minute.
    on_error: Callable[[Problem], None] | None = None
    #: The longest time that a decision waits for others.
    linger: float = limits.LINGER
    #: Decisions in a batch at most.
    max_batch: int = limits.BATCH_DECISIONS
    #: Decisions and bytes that wait in memory at most.
    max_queued: int = limits.QUEUE_DECISIONS
    max_queued_bytes: int = limits.QUEUE_BYTES
    #: For one request.
    request_timeout: float = limits.REQUEST
    #: The longest wait between attempts.
    max_retry: float = limits.MAX_RETRY
    #: Signals at which to deliver what waits; then they are raised again.
    signals: Sequence[signal.Signals] = ()
    #: Records nothing. Default: whether LEDGER_DISABLED is `1` or `true`.
    disabled: bool | None = None
    #: For https, such as one that trusts an authority of your own.
    ssl_context: ssl.SSLContext | None = None
    #: Seconds since the epoch, and a number from 0 to 1: for tests.
    now: Callable[[], float] = time.time
    random: Callable[[], float] = random.random

    def __post_init__(self) -> None:
        if not callable(self.key) and (not isinstance(self.key, str) or self.key == ""):
            raise ValueError("the option key must be an API key or a function that returns one")
        if self.signals and threading.current_thread() is not threading.main_thread():
            raise ValueError("the option signals needs the main thread")
        check_number("linger", self.linger, 0, 60)
        check_number("max_batch", self.max_batch, 1, limits.BATCH_DECISIONS)
        check_number("max_queued", self.max_queued, 1, 10_000_000)
        check_number("max_queued_bytes", self.max_queued_bytes, 1024, 2**40)
        check_number("request_timeout", self.request_timeout, 0.001, 3600)
        check_number("max_retry", self.max_retry, 0.001, 3600)

    @property
    def is_disabled(self) -> bool:
        if self.disabled is not None:
            return self.disabled
        return os.environ.get("LEDGER_DISABLED", "").lower() in ("1", "true")

    def without_outbox(self) -> "Options":
        return replace(self, outbox=None)


def check_number(name: str, value: float, lowest: float, highest: float) -> None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    if not is_number or not lowest <= value <= highest:
        raise ValueError(f"the option {name} must be a number from {lowest} to {highest}")
