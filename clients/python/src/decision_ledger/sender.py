"""Delivers what waits in the lanes, in a thread of its own."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from decision_ledger import limits
from decision_ledger.deliver import DeliverTools, deliver
from decision_ledger.errors import Problem
from decision_ledger.queue import Lane

#: The wait after a fault of the sender itself.
FAULT = 1.0
#: How often the folders of processes that died since the last time are searched.
SEARCH = 60.0


@dataclass(frozen=True)
class SenderTools:
    deliver: DeliverTools
    lanes: Sequence[Lane]
    linger: float
    max_batch: int
    #: Looks for decisions of dead processes; None without an outbox.
    search: Callable[[], None] | None


class Sender:
    """
    One batch is sent at a time, so that the chain has the order of the calls. A fault is reported, and the
    thread continues; if it is gone all the same, the next call starts another.
    """

    def __init__(self, tools: SenderTools) -> None:
        self._tools = tools
        self._section = tools.deliver.section
        self._thread: threading.Thread | None = None
        #: When the first decision that waits must be sent; None if none waits.
        self._due: float | None = None
        self._next_search = 0.0 if tools.search is not None else float("inf")
        self._is_searched = tools.search is None
        self._waiters = 0
        #: Counts the flushes, each of which ends a pause.
        self._hurries = 0
        self._turn = 0
        self.is_sending = False
        self.is_stopped = False

    def start(self) -> None:
        """Starts the thread unless it runs. Call it inside the section."""
        if self.is_stopped or (self._thread is not None and self._thread.is_alive()):
            return
        self._thread = threading.Thread(target=self._live, name="decision-ledger", daemon=True)
        try:
            self._thread.start()
        except RuntimeError as error:
            self._thread = None
            message = f"the sender cannot be started, decisions wait: {error}"
            self._tools.deliver.account.report(Problem("internal", message, error=error))

    def notify(self) -> None:
        """Reports that a lane has grown. Call it inside the section."""
        self.start()
        if self._due is None:
            self._due = time.monotonic() + self._tools.linger
            self._section.wake()
        elif not self.is_sending and self._is_any_full():
            self._section.wake()

    def drain(self, seconds: float) -> None:
        """Sends what waits now. Returns when it is delivered or refused, or when the time is over."""
        if threading.current_thread() is self._thread:
            return  # a handler of problems must not wait for its own thread
        deadline = time.monotonic() + seconds
        with self._section:
            if self._tools.search is not None or self._is_any_waiting():
                self.start()
            self._waiters += 1
            self._hurries += 1
            self._section.wake()
            try:
                while not self._is_searched and self._may_wait(deadline):
                    self._section.wait(deadline - time.monotonic())
                targets = [lane.added for lane in self._tools.lanes]
                while not self._is_reached(targets) and self._may_wait(deadline):
                    self._section.wait(deadline - time.monotonic())
            finally:
                self._waiters -= 1

    def rest(self, seconds: float) -> None:
        """Waits until the batch that is sent is dealt with, or the time is over."""
        deadline = time.monotonic() + seconds
        with self._section:
            while self.is_sending and self._may_wait(deadline):
                self._section.wait(deadline - time.monotonic())

    def _may_wait(self, deadline: float) -> bool:
        return not self.is_stopped and self._thread is not None and time.monotonic() < deadline

    def _is_reached(self, targets: list[int]) -> bool:
        return all(lane.settled >= target for lane, target in zip(self._tools.lanes, targets, strict=True))

    def stop(self) -> None:
        """Ends the sender; what it has not delivered stays in its lanes. Call it inside the section."""
        self.is_stopped = True
        self._section.wake()

    def pause(self, seconds: float, is_firm: bool) -> None:
        deadline = time.monotonic() + seconds
        with self._section:
            hurries = self._hurries
            while not self.is_stopped and time.monotonic() < deadline:
                if not is_firm and self._hurries > hurries:
                    return
                self._section.wait(deadline - time.monotonic())

    def _live(self) -> None:
        while not self.is_stopped:
            try:
                self._step()
            except BaseException as error:  # not even SystemExit of a handler may end the delivery
                self.is_sending = False
                with self._section:
                    if self.is_stopped:
                        return
                    message = f"the sender failed and continues: {error!r}"
                    self._tools.deliver.account.report(Problem("internal", message, error=error))
                self.pause(FAULT, is_firm=True)

    def _step(self) -> None:
        if self._tools.search is not None and time.monotonic() >= self._next_search:
            self._search(self._tools.search)
        with self._section:
            lane = self._due_lane()
            if lane is None:
                if not self.is_stopped:
                    self._section.wait(self._idle_seconds())
                return
            self.is_sending = True
        batch = lane.peek()[: self._tools.max_batch]
        if batch and not deliver(batch, self._tools.deliver, self):
            return
        with self._section:
            if self.is_stopped:
                return
            if not batch and lane.settled < lane.added:
                raise RuntimeError("decisions are counted that cannot be read")
            lane.settle(len(batch))
        lane.tidy()
        with self._section:
            self.is_sending = False
            # Without a flush, the next batch collects decisions again.
            is_waiting = self._is_any_waiting()
            self._due = time.monotonic() + self._tools.linger if is_waiting else None
            self._section.wake()

    def _search(self, search: Callable[[], None]) -> None:
        self._next_search = time.monotonic() + SEARCH
        try:
            search()
        except OSError as error:
            with self._section:
                if not self.is_stopped:
                    message = f"the outbox of former processes cannot be read: {error}"
                    self._tools.deliver.account.report(Problem("outbox", message, error=error))
        with self._section:
            self._is_searched = True
            if self._is_any_waiting() and self._due is None:
                self._due = time.monotonic()
            self._section.wake()

    def _due_lane(self) -> Lane | None:
        """The lane to send from now. They take turns, so that neither waits for the other to become empty."""
        is_due = self._due is not None and time.monotonic() >= self._due
        if self.is_stopped or not (is_due or self._waiters > 0 or self._is_any_full()):
            return None
        lanes = self._tools.lanes
        for step in range(1, len(lanes) + 1):
            index = (self._turn + step) % len(lanes)
            if lanes[index].settled < lanes[index].added:
                self._turn = index
                return lanes[index]
        self._due = None
        return None

    def _idle_seconds(self) -> float | None:
        now = time.monotonic()
        next_event = min(self._next_search, self._due if self._due is not None else float("inf"))
        return None if next_event == float("inf") else max(0.0, next_event - now)

    def _is_any_waiting(self) -> bool:
        return any(lane.settled < lane.added for lane in self._tools.lanes)

    def _is_any_full(self) -> bool:
        return any(
            lane.added - lane.settled >= self._tools.max_batch or lane.queued_bytes >= limits.BATCH_BYTES
            for lane in self._tools.lanes
        )
