"""Records decisions: encodes, keeps and delivers them. One for each process."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from decision_ledger import limits
from decision_ledger.account import Account, Mark
from decision_ledger.decision import Receipt
from decision_ledger.deliver import DeliverTools, blames_time
from decision_ledger.encode import Encoded, Entry, encode, key_maker
from decision_ledger.errors import (
    DecisionsLostError,
    DeliveryReport,
    LedgerApiError,
    LedgerDisabledError,
    Problem,
)
from decision_ledger.http import Http, Request
from decision_ledger.large_fields import fit
from decision_ledger.mask import compile_mask
from decision_ledger.options import Options
from decision_ledger.outbox.open import Outbox, OutboxOptions
from decision_ledger.outbox.own_lane import Bounds
from decision_ledger.queue import Lane, MemoryQueue
from decision_ledger.receipts import Anchor, ReceiptCheck, read_receipt
from decision_ledger.section import Section
from decision_ledger.sender import Sender, SenderTools


@dataclass(frozen=True)
class Stats(DeliveryReport):
    """The state of a client."""

    #: Calls of `record` and `record_now`.
    recorded: int = 0
    #: Accepted decisions that an earlier attempt had already recorded.
    replayed: int = 0
    payloads_dropped: int = 0
    retries: int = 0
    #: Decisions and bytes that wait in memory.
    queued: int = 0
    queued_bytes: int = 0
    #: Undelivered bytes of this process on disk.
    outbox_bytes: int = 0
    is_sending: bool = False
    last_problem: Problem | None = None


class Recorder:
    def __init__(self, options: Options) -> None:
        """Raises ValueError or TypeError for an option, OSError for the outbox."""
        self._options = options
        self.http = Http(
            options.url, options.key, options.request_timeout, options.random, options.ssl_context
        )
        self._mask = None if options.mask is None else compile_mask(options.mask)
        self._new_key = key_maker()
        self._account = Account(options.on_error)
        self._section = Section(self._account.pass_on)
        self._memory = MemoryQueue(options.max_queued, options.max_queued_bytes)
        self._outbox = None if options.is_disabled else self._open_outbox()
        outbox = self._outbox
        self._receipts = ReceiptCheck(
            None if outbox is None else outbox.anchor,
            (lambda anchor: None) if outbox is None else outbox.keep_anchor,
        )
        self._lanes: list[Lane] = [self._memory] if outbox is None else [outbox.own, outbox.recovered]
        self._sender = Sender(self._sender_tools())
        self.is_closed = False
        #: Waiting decisions that are reported as lost, because the process ends.
        self._written_off = 0
        if outbox is not None:
            with self._section:
                self._sender.start()

    def _open_outbox(self) -> Outbox | None:
        options = self._options
        if options.outbox is None:
            return None
        chosen = options.outbox
        outbox = chosen if isinstance(chosen, OutboxOptions) else OutboxOptions(chosen)
        bounds = Bounds(options.max_queued, options.max_queued_bytes, outbox.max_bytes)
        return Outbox(outbox, bounds, options.now, self._section, self._account.report)

    def _sender_tools(self) -> SenderTools:
        options, outbox = self._options, self._outbox
        tools = DeliverTools(
            self.http,
            self._account,
            self._receipts,
            self._section,
            options.random,
            options.max_retry,
            (lambda entry, error: None) if outbox is None else outbox.bury,
        )
        search = None if outbox is None else outbox.search
        return SenderTools(tools, self._lanes, options.linger, options.max_batch, search)

    @property
    def anchor(self) -> Anchor | None:
        return self._receipts.anchor

    def stats(self) -> Stats:
        account = self._account
        with self._section:
            return Stats(
                accepted=account.accepted,
                pending=self._pending,
                failed=account.failed,
                recorded=account.recorded,
                replayed=account.replayed,
                payloads_dropped=account.payloads_dropped,
                retries=account.retries,
                queued=sum(lane.queued for lane in self._lanes),
                queued_bytes=sum(lane.queued_bytes for lane in self._lanes),
                outbox_bytes=0 if self._outbox is None else self._outbox.own.disk_bytes,
                is_sending=self._sender.is_sending,
                last_problem=account.last_problem,
            )

    @property
    def _pending(self) -> int:
        return sum(lane.added - lane.settled for lane in self._lanes) - self._written_off

    def record(self, decision: Mapping[str, Any]) -> None:
        """Never raises an Exception."""
        try:
            encoded = encode(decision, self._mask, self._new_key, self._options.now)
        except Exception as error:
            problem = Problem("dropped", f"a decision was not recorded: {error}", 1, error=error)
            self._section.post(lambda: self._count(problem))
            return
        self._section.post(lambda: self._keep(encoded))

    def _count(self, problem: Problem) -> None:
        self._account.recorded += 1
        self._account.report(problem)

    def _keep(self, encoded: Encoded) -> None:
        """Called inside the section. It never raises: another thread may run it."""
        self._account.recorded += 1
        self._note_dropped(encoded)
        entry = encoded.entry
        try:
            reason = "the client is closed" if self.is_closed else self._add(entry)
            if reason is None:
                self._sender.notify()
                return
            error = None
        except Exception as fault:
            reason, error = repr(fault), fault
        message = f"a decision was dropped: {reason}"
        self._account.report(Problem("dropped", message, 1, entry.json.decode(), error))

    def _add(self, entry: Entry) -> str | None:
        """Returns why the decision could not be kept."""
        if self._outbox is not None:
            is_kept = self._outbox.own.add(entry) != "full"
            return None if is_kept else "neither the outbox nor the memory can take it"
        return None if self._memory.add(entry) else "the queue is full"

    def _note_dropped(self, encoded: Encoded) -> None:
        if encoded.dropped is None:
            return
        reason, error = encoded.dropped
        self._account.payloads_dropped += 1
        message = f"the payload of a decision was dropped: {reason}"
        self._account.report(Problem("payload_dropped", message, 1, error=error))

    def record_now(self, decision: Mapping[str, Any], timeout: float | None, signed: bool) -> Receipt:
        if self._options.is_disabled:
            raise LedgerDisabledError()
        with self._section:
            self._account.recorded += 1
        try:
            receipt = self._record_now(decision, timeout, signed)
        except BaseException:
            with self._section:
                self._account.failed += 1
            raise
        with self._section:
            self._receipts.take([receipt])
            self._account.accepted += 1
        return receipt

    def _record_now(self, decision: Mapping[str, Any], timeout: float | None, signed: bool) -> Receipt:
        body = {name: value for name, value in decision.items() if name != "idempotency_key"}
        key = str(decision.get("idempotency_key") or self._new_key())
        prefer = "receipt=signed" if signed else None
        encoded = encode(body, self._mask, None, self._options.now)
        with self._section:
            self._note_dropped(encoded)

        def send(entry: Entry) -> Receipt:
            body = fit(entry.json, lambda request: self.http.call(request, timeout), key)
            request = Request("POST", "/decisions", body, idempotency_key=key, prefer=prefer)
            return read_receipt(self.http.call(request, timeout))

        try:
            return send(encoded.entry)
        except LedgerApiError as error:
            if not encoded.entry.is_stamped or not blames_time(error):
                raise
            return send(encoded.entry.without_stamp())

    def flush(self, timeout: float) -> DeliveryReport:
        mark = self._account.mark()
        self._sender.drain(timeout)
        with self._section:
            report = self._account.report_since(mark, self._pending)
            causes = self._account.causes_since(mark)
        if report.failed > 0:
            raise DecisionsLostError(report, causes)
        return report

    def close(self, timeout: float) -> DeliveryReport:
        with self._section:
            is_first = not self.is_closed
            self.is_closed = True
        if is_first:
            deadline = time.monotonic() + timeout
            self._sender.drain(timeout)
            self._sender.rest(deadline - time.monotonic())
            self._end()
        with self._section:
            report = DeliveryReport(self._account.accepted, self._pending, self._account.failed)
            causes = self._account.causes_since(Mark())
        if report.failed > 0:
            raise DecisionsLostError(report, causes)
        return report

    def _end(self) -> None:
        with self._section:
            self._sender.stop()
            self._report_unstored("the client was closed before they were delivered")
            if self._outbox is not None:
                self._outbox.close()
        self.http.close()

    def _report_unstored(self, reason: str) -> None:
        """Decisions that are only in memory are lost when the process ends."""
        unstored = self._pending if self._outbox is None else self._outbox.own.unstored
        decisions = unstored - (0 if self._outbox is None else self._written_off)
        if decisions <= 0:
            return
        self._written_off += decisions
        message = f"{decisions} decisions are lost: {reason}"
        self._account.report(Problem("dropped", message, decisions))

    def flush_at_exit(self) -> None:
        """Leaves the client open: what other handlers of the end record is still kept."""
        if self.is_closed or self.stats().pending == 0:
            return
        deadline = time.monotonic() + limits.CLOSE
        self._sender.drain(deadline - time.monotonic())
        with self._section:
            self._report_unstored("the process ended before they were delivered")

    def report(self, problem: Problem) -> None:
        with self._section:
            self._account.report(problem)

    def hold(self) -> None:
        self._section.hold()

    def resume(self) -> None:
        self._section.resume()

    def abandon(self) -> None:
        """In a child process: what waits is the affair of the parent."""
        if self._outbox is not None:
            self._outbox.abandon()
        self.http.close()
