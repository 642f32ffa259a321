"""What the client raises and reports."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

ProblemKind = Literal[
    "refused",
    "dropped",
    "payload_dropped",
    "delivery",
    "receipt",
    "unreadable",
    "outbox",
    "internal",
]


@dataclass(frozen=True)
class Problem:
    """A problem that the client reports to `on_error`. The message contains no payload and no key."""

    kind: ProblemKind
    message: str
    #: Number of decisions that it concerns.
    decisions: int = 0
    #: The decision as JSON, after the mask: for `refused` and `dropped`.
    decision: str | None = None
    error: BaseException | None = None


@dataclass(frozen=True)
class DeliveryReport:
    """What became of recorded decisions."""

    #: In the ledger, with a receipt.
    accepted: int = 0
    #: In memory or in the outbox, still to be delivered.
    pending: int = 0
    #: Not in the ledger, and not going to be: refused, dropped, or unreadable in the outbox.
    failed: int = 0


class LedgerError(Exception):
    """The base of what this client raises on its own account."""


class LedgerApiError(LedgerError):
    """The service refused a request."""

    def __init__(
        self,
        code: str,
        message: str,
        status: int,
        details: Mapping[str, object] | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        #: The code of the service; `unknown` if something else answered, such as a proxy.
        self.code = code
        self.status = status
        self.details: Mapping[str, object] = details or {}
        #: Identifies the request in the logs of the service.
        self.request_id = request_id
        #: How long the service asks to wait, in seconds.
        self.retry_after = retry_after

    @property
    def fields(self) -> tuple[str, ...]:
        """The paths of the members at fault, such as `decisions[3].confidence`."""
        fields = self.details.get("fields")
        return tuple(fields) if isinstance(fields, dict) else ()


class LedgerConnectionError(LedgerError):
    """No usable answer arrived: the connection failed, timed out, or ended within the answer."""


class LedgerDisabledError(LedgerError):
    """The client is disabled by LEDGER_DISABLED or by its option, so no receipt exists."""

    def __init__(self) -> None:
        super().__init__("the client is disabled: nothing is recorded")


class DecisionsLostError(LedgerError):
    """Decisions are not in the ledger and will not be delivered. Raised by `flush` and `close`."""

    def __init__(self, report: DeliveryReport, causes: Sequence[Problem]) -> None:
        total = report.accepted + report.pending + report.failed
        first = f": {causes[0].message}" if causes else ""
        super().__init__(f"{report.failed} of {total} decisions were lost{first}")
        self.report = report
        #: The first problems that were reported, at most ten.
        self.causes = tuple(causes)
