"""The client for threads."""

import os
import random
import signal
import ssl
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any
from urllib.parse import quote

from decision_ledger import limits, process
from decision_ledger.decision import Decision, Receipt
from decision_ledger.encode import dumps
from decision_ledger.errors import DecisionsLostError, DeliveryReport, Problem
from decision_ledger.http import Key, Request
from decision_ledger.mask import Mask
from decision_ledger.options import Options
from decision_ledger.outbox.open import OutboxOptions
from decision_ledger.receipts import Anchor
from decision_ledger.recorder import Recorder, Stats


class Ledger:
    """Records decisions of an agent. Threads and forked processes may share it."""

    def __init__(
        self,
        url: str,
        key: Key,
        *,
        outbox: "str | os.PathLike[str] | OutboxOptions | None" = None,
        mask: Mask | None = None,
        on_error: Callable[[Problem], None] | None = None,
        signals: Sequence[signal.Signals] = (),
        disabled: bool | None = None,
        linger: float = limits.LINGER,
        max_batch: int = limits.BATCH_DECISIONS,
        max_queued: int = limits.QUEUE_DECISIONS,
        max_queued_bytes: int = limits.QUEUE_BYTES,
        request_timeout: float = limits.REQUEST,
        max_retry: float = limits.MAX_RETRY,
        ssl_context: ssl.SSLContext | None = None,
        now: Callable[[], float] = time.time,
        random: Callable[[], float] = random.random,
    ) -> None:
        """
        `Options` describes the options. Raises ValueError or TypeError for one that is not valid, OSError if
        the outbox cannot be written.
        """
        self._options = Options(
            url,
            key,
            outbox=outbox,
            mask=mask,
            on_error=on_error,
            signals=signals,
            disabled=disabled,
            linger=linger,
            max_batch=max_batch,
            max_queued=max_queued,
            max_queued_bytes=max_queued_bytes,
            request_timeout=request_timeout,
            max_retry=max_retry,
            ssl_context=ssl_context,
            now=now,
            random=random,
        )
        self._opening = threading.RLock()
        self._recorder: Recorder | None = Recorder(self._options)
        self._is_disabled = self._options.is_disabled
        if self._is_disabled:
            return
        if signals:
            process.on_signals(signals, self._close_quietly)
        process.add(self)
        process.flush_at_end_of_worker()

    def record(self, decision: Decision) -> None:
        """
        Records a decision as it is at this moment. Never raises an Exception. With an outbox, it is on disk
        when the call returns.
        """
        if not self._is_disabled:
            self._current().record(decision)

    def record_now(
        self, decision: Decision, *, timeout: float | None = None, signed: bool = False
    ) -> Receipt:
        """
        Sends a decision alone, and returns its receipt. After an error, it may be in the ledger all the
        same: an idempotency key of your own makes a repeated call harmless.

        `timeout` is for one of at most four attempts. `signed` asks for `signed_receipt`.
        """
        return self._current().record_now(decision, timeout, signed)

    def flush(self, timeout: float = limits.FLUSH) -> DeliveryReport:
        """Delivers what waits. Counts since the last flush. Raises DecisionsLostError."""
        return DeliveryReport() if self._is_disabled else self._current().flush(timeout)

    def close(self, timeout: float = limits.CLOSE) -> DeliveryReport:
        """Delivers what waits, and ends the client. Counts since the start. Raises DecisionsLostError."""
        if self._is_disabled:
            self._current().http.close()
            return DeliveryReport()
        try:
            return self._current().close(timeout)
        finally:
            process.remove(self)

    def stats(self) -> Stats:
        return self._current().stats()

    @property
    def anchor(self) -> Anchor | None:
        """The last receipt: `expect_seq` and `expect_hash` of a verification."""
        return self._current().anchor

    def call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        idempotency_key: str | None = None,
    ) -> Any:
        """
        Any other call of the API, such as `call("GET", "/analytics/ai-pnl")`. Returns `data` of the answer.
        Raises LedgerApiError or LedgerConnectionError. GET, and calls with a key, are repeated.
        """
        text = None if body is None else dumps(body).encode()
        request = Request(method, quote(path), text, query or {}, idempotency_key)
        return self._current().http.call(request)

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.close()
        else:
            self._close_quietly()

    def _close_quietly(self) -> None:
        try:
            self.close()
        except DecisionsLostError:
            pass  # on_error has the losses

    def _current(self) -> Recorder:
        """The recorder of this process: a child of a fork opens its own."""
        with self._opening:
            if self._recorder is None:
                self._recorder = self._reopen()
                process.flush_at_end_of_worker()
            return self._recorder

    def _reopen(self) -> Recorder:
        try:
            return Recorder(self._options)
        except OSError as error:
            without = Recorder(self._options.without_outbox())
            without.report(Problem("outbox", f"the outbox cannot be opened: {error}", error=error))
            return without

    def before_fork(self) -> None:
        self._opening.acquire()
        if self._recorder is not None:
            self._recorder.hold()

    def after_fork_in_parent(self) -> None:
        if self._recorder is not None:
            self._recorder.resume()
        self._opening.release()

    def after_fork_in_child(self) -> None:
        recorder, self._opening = self._recorder, threading.RLock()
        if recorder is None:
            return
        if recorder.is_closed:
            recorder.resume()
            return
        recorder.abandon()
        self._recorder = None

    def flush_at_exit(self) -> None:
        if self._recorder is not None:
            self._recorder.flush_at_exit()
