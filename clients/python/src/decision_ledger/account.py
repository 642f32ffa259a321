"""Counts what became of decisions, and passes problems to the application."""

import logging
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from decision_ledger.errors import DeliveryReport, Problem

#: Problems after which a decision is not in the ledger and will not be.
LOSSES = frozenset({"refused", "dropped", "unreadable"})
KEPT_PROBLEMS = 10
QUIET_SECONDS = 60.0

log = logging.getLogger("decision_ledger")


@dataclass(frozen=True)
class Mark:
    """A moment from which a later report counts."""

    accepted: int = 0
    failed: int = 0
    losses: int = 0


class Account:
    """Its members are changed inside the section of the client alone."""

    def __init__(self, on_error: Callable[[Problem], None] | None) -> None:
        self.recorded = 0
        self.accepted = 0
        #: Accepted decisions that an earlier attempt had already recorded.
        self.replayed = 0
        self.failed = 0
        self.retries = 0
        self.payloads_dropped = 0
        self.last_problem: Problem | None = None
        self._losses: deque[Problem] = deque(maxlen=KEPT_PROBLEMS)
        self._loss_count = 0
        self._reported = Mark()
        self._pass = on_error or log_quietly()
        self._unpassed: deque[Problem] = deque()

    def report(self, problem: Problem) -> None:
        """Counts the problem; `pass_on` passes it to the application later."""
        self.last_problem = problem
        if problem.kind in LOSSES:
            self.failed += problem.decisions
            self._loss_count += 1
            self._losses.append(problem)
        self._unpassed.append(problem)

    def pass_on(self) -> None:
        """Never raises. Called without the lock: a handler may take its time, or use the client."""
        while self._unpassed:
            try:
                self._pass(self._unpassed.popleft())
            except IndexError:
                return
            except Exception:  # the fault of a handler must not reach the agent
                log.exception("decision-ledger: the handler on_error failed")

    def mark(self) -> Mark:
        """Where a report that begins now starts: after the last finished one."""
        return self._reported

    def report_since(self, mark: Mark, pending: int) -> DeliveryReport:
        self._reported = Mark(self.accepted, self.failed, self._loss_count)
        return DeliveryReport(self.accepted - mark.accepted, pending, self.failed - mark.failed)

    def causes_since(self, mark: Mark) -> list[Problem]:
        count = min(self._loss_count - mark.losses, len(self._losses))
        return list(self._losses)[-count:] if count > 0 else []


def log_quietly() -> Callable[[Problem], None]:
    """One line of the log for each kind of problem and minute, without payloads."""
    last: dict[str, float] = {}

    def write(problem: Problem) -> None:
        now = time.monotonic()
        if now - last.get(problem.kind, -QUIET_SECONDS) < QUIET_SECONDS:
            return
        last[problem.kind] = now
        log.error("decision-ledger: %s: %s", problem.kind, problem.message)

    return write
