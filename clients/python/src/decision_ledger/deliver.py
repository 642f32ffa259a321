"""Delivers one batch."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from decision_ledger.account import Account
from decision_ledger.decision import Receipt
from decision_ledger.encode import Entry
from decision_ledger.errors import LedgerApiError, LedgerConnectionError, Problem
from decision_ledger.http import Http, Request
from decision_ledger.receipts import Anchor, ReceiptCheck, read_receipts
from decision_ledger.retry import retry_after_of, retry_delay
from decision_ledger.section import Section

#: Codes that blame the content of a request. Any other answer leaves decisions waiting.
REFUSALS = frozenset(
    {"validation_error", "malformed_request", "payload_too_large", "idempotency_conflict", "conflict"}
)
MEMBER = re.compile(r"decisions\[([0-9]+)\]")


class Clock(Protocol):
    """How a delivery waits and ends."""

    @property
    def is_stopped(self) -> bool: ...

    def pause(self, seconds: float, is_firm: bool) -> None:
        """A firm pause is one that the service asked for: a flush does not shorten it."""


@dataclass(frozen=True)
class DeliverTools:
    http: Http
    account: Account
    receipts: ReceiptCheck
    section: Section
    random: Callable[[], float]
    max_retry: float
    #: Called for a decision that the service refuses for good, before it is reported.
    on_refused: Callable[[Entry, LedgerApiError], None]


def deliver(batch: list[Entry], tools: DeliverTools, clock: Clock) -> bool:
    """
    Sends a batch until each of its decisions is in the ledger or refused. A refused batch is split until
    the decisions at fault are alone. Returns False if the sender was stopped.
    """
    groups = [batch]
    while groups:
        group = groups.pop()
        before = tools.receipts.anchor
        outcome = send_until_answered(group, tools, clock)
        if outcome is None:
            return False
        with tools.section:
            if clock.is_stopped:
                return False
            if isinstance(outcome, LedgerApiError):
                groups += after_refusal(group, outcome, tools)
            else:
                accept(outcome, before, tools)
    return True


def send_until_answered(
    group: list[Entry], tools: DeliverTools, clock: Clock
) -> list[Receipt] | LedgerApiError | None:
    """The receipts, or the refusal, or None if the sender was stopped."""
    body = b'{"decisions":[' + b",".join(entry.json for entry in group) + b"]}"
    failed = 0
    while not clock.is_stopped:
        try:
            data = tools.http.send(Request("POST", "/decisions/batch", body, is_keyed=True))
            return read_receipts(data, len(group))
        except (LedgerApiError, LedgerConnectionError) as error:
            if isinstance(error, LedgerApiError) and is_refusal(error):
                return error
            failed += 1
            with tools.section:
                if clock.is_stopped:
                    return None
                tools.account.retries += 1
                tools.account.report(Problem("delivery", str(error), len(group), error=error))
            delay = retry_delay(failed, error, tools.random, tools.max_retry)
            clock.pause(delay, retry_after_of(error) is not None)
    return None


def is_refusal(error: LedgerApiError) -> bool:
    # Proxies limit the size of bodies with an answer of their own.
    return error.status == 413 or error.code in REFUSALS


def accept(receipts: list[Receipt], before: Anchor | None, tools: DeliverTools) -> None:
    tools.account.accepted += len(receipts)
    tools.account.replayed += sum(1 for receipt in receipts if receipt.get("replayed"))
    contradiction = tools.receipts.take_batch(receipts, before)
    if contradiction is not None:
        tools.account.report(Problem("receipt", contradiction, len(receipts)))


def after_refusal(group: list[Entry], error: LedgerApiError, tools: DeliverTools) -> list[list[Entry]]:
    """Gives up the decisions at fault. Returns the groups to send next, the last one first."""
    matches = (MEMBER.match(path) for path in error.fields)
    named = {int(match[1]) for match in matches if match and int(match[1]) < len(group)}
    if not named and len(group) > 1:
        middle = (len(group) + 1) // 2
        return [group[middle:], group[:middle]]
    left: list[Entry] = []
    for index, entry in enumerate(group):
        if named and index not in named:
            left.append(entry)
        else:
            left += give_up(entry, error, tools)
    return [left] if left else []


def give_up(entry: Entry, error: LedgerApiError, tools: DeliverTools) -> list[Entry]:
    """
    The service refuses times more than five minutes ahead of its clock. If the time is only that of this
    machine, the decision is sent without it.
    """
    if entry.is_stamped and (blames_time(error) or error.code == "idempotency_conflict"):
        return [entry.without_stamp()]
    tools.on_refused(entry, error)
    tools.account.report(Problem("refused", str(error), 1, entry.json.decode(), error))
    return []


def blames_time(error: LedgerApiError) -> bool:
    return any(path == "timestamp" or path.endswith(".timestamp") for path in error.fields)
