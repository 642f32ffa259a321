"""Delivers one batch."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

from decision_ledger import limits
from decision_ledger.account import Account
from decision_ledger.encode import Entry
from decision_ledger.errors import LedgerApiError, LedgerConnectionError, Problem
from decision_ledger.http import Http, Request
from decision_ledger.large_fields import HTTP_TOO_LARGE, UPLOADED, fit
from decision_ledger.receipts import Anchor, BatchAnswer, ReceiptCheck, read_answer, read_whole_refusal
from decision_ledger.retry import retry_after_of, retry_delay
from decision_ledger.section import Section

#: Codes that blame the content of a request. Any other answer leaves decisions waiting.
REFUSALS = frozenset(
    {"validation_error", "malformed_request", "payload_too_large", "idempotency_conflict", "conflict"}
)
#: Decisions that are refused do not affect the others.
LENIENT = "handling=lenient"


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
    Sends a batch until each of its decisions is in the ledger or refused. What the service refuses is
    refused alone. A batch that is refused as a whole, by its size, is halved. Returns False if the sender
    was stopped.
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
                groups += split(group, outcome, tools)
            else:
                groups += settle(group, outcome, before, tools)
    return True


def send_until_answered(
    group: list[Entry], tools: DeliverTools, clock: Clock
) -> BatchAnswer | LedgerApiError | None:
    """The answer, or the refusal, or None if the sender was stopped."""

    def send(request: Request) -> Any:
        """Chunk after chunk may be sent before the batch."""
        if clock.is_stopped:
            raise LedgerConnectionError("the client is closed")
        return tools.http.send(request)

    body: bytes | None = None
    failed = 0
    while not clock.is_stopped:
        try:
            if body is None:
                texts = [fit(entry.json, send, is_renewed=entry.is_renewed) for entry in group]
                body = b'{"decisions":[' + b",".join(texts) + b"]}"
            request = Request("POST", "/decisions/batch", body, prefer=LENIENT, is_keyed=True)
            return read_answer(send(request), len(group))
        except (LedgerApiError, LedgerConnectionError) as error:
            # While there is no body, an upload was refused, and no decision.
            refusal = None if body is None else read_refused(error, len(group))
            if refusal is not None:
                return refusal
            failed += 1
            with tools.section:
                if clock.is_stopped:
                    return None
                tools.account.retries += 1
                tools.account.report(Problem("delivery", str(error), len(group), error=error))
            delay = retry_delay(failed, error, tools.random, tools.max_retry)
            clock.pause(delay, retry_after_of(error) is not None)
    return None


def read_refused(
    error: LedgerApiError | LedgerConnectionError, count: int
) -> BatchAnswer | LedgerApiError | None:
    """What a batch, or each of its decisions, is refused with; None if it may be sent again as it is."""
    if not isinstance(error, LedgerApiError):
        return None
    # Proxies limit the size of bodies with an answer of their own.
    is_refusal = error.status == HTTP_TOO_LARGE or error.code in REFUSALS
    return read_whole_refusal(error, count) or (error if is_refusal else None)


def settle(
    group: list[Entry], answer: BatchAnswer, before: Anchor | None, tools: DeliverTools
) -> list[list[Entry]]:
    """Counts what was recorded. Returns what to send in another form, as groups."""
    receipts = answer.receipts
    tools.account.accepted += len(receipts)
    tools.account.replayed += sum(1 for receipt in receipts if receipt.get("replayed"))
    contradiction = tools.receipts.take_batch(receipts, before)
    if contradiction is not None:
        tools.account.report(Problem("receipt", contradiction, len(receipts)))
    again: list[Entry] = []
    for index, error in sorted(answer.refused.items()):
        again += give_up(group[index], error, tools)
    return [again] if again else []


def split(group: list[Entry], error: LedgerApiError, tools: DeliverTools) -> list[list[Entry]]:
    """Halves a batch that was refused as a whole. Returns the groups to send next, the last one first."""
    if len(group) == 1:
        again = give_up(group[0], error, tools)
        return [again] if again else []
    middle = (len(group) + 1) // 2
    return [group[middle:], group[:middle]]


def give_up(entry: Entry, error: LedgerApiError, tools: DeliverTools) -> list[Entry]:
    """Sends the decision in another form, if there is one, and loses it otherwise."""
    other = next_form(entry, error)
    if other is not None:
        return [other]
    own = entry.recorded or entry
    tools.on_refused(own, error)
    tools.account.report(Problem("refused", str(error), 1, own.json.decode(), error))
    return []


def next_form(entry: Entry, error: LedgerApiError) -> Entry | None:
    """
    The service refuses times more than five minutes ahead of its clock: the time of this machine is then
    left out. It refuses times before its limit of lateness: the time then goes into the metadata. A key that
    was used with another content may be that of one of these forms, which a former process sent and whose
    answer it never saw.

    An upload expires while no decision takes it, such as in a long outage. Then it is made again, once.
    """
    if is_upload_gone(entry, error):
        return replace(entry, is_renewed=True)
    own = entry.recorded or entry
    late = own.with_decided_at()
    unstamped = own.without_stamp() if own.is_stamped else None
    if error.code == "idempotency_conflict":
        forms = [form for form in (own, late, unstamped) if form is not None]
        left = forms[forms.index(entry) + 1 :]
        return left[0] if left else None
    if entry.recorded is not None or not blames_time(error):
        return None
    return late if error.code == "too_late" else unstamped


def is_upload_gone(entry: Entry, error: LedgerApiError) -> bool:
    if entry.is_renewed or len(entry.json) <= limits.FIELD_BYTES:
        return False
    names = {path.rpartition(".")[2] for path in error.fields}
    return error.code in {"conflict", "validation_error"} and not names.isdisjoint(UPLOADED)


def blames_time(error: LedgerApiError) -> bool:
    return any(path == "timestamp" or path.endswith(".timestamp") for path in error.fields)
