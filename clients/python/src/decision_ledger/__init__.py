"""Records what AI agents decide in a Decision Ledger, through crashes and outages."""

from decision_ledger.aio import AsyncLedger
from decision_ledger.decision import Decision, Receipt
from decision_ledger.errors import (
    DecisionsLostError,
    DeliveryReport,
    LedgerApiError,
    LedgerConnectionError,
    LedgerDisabledError,
    LedgerError,
    Problem,
)
from decision_ledger.ledger import Ledger
from decision_ledger.mask import AllowPaths, MaskPaths
from decision_ledger.outbox.open import OutboxOptions
from decision_ledger.receipts import Anchor
from decision_ledger.recorder import Stats

__all__ = [
    "AllowPaths",
    "Anchor",
    "AsyncLedger",
    "Decision",
    "DecisionsLostError",
    "DeliveryReport",
    "Ledger",
    "LedgerApiError",
    "LedgerConnectionError",
    "LedgerDisabledError",
    "LedgerError",
    "MaskPaths",
    "OutboxOptions",
    "Problem",
    "Receipt",
    "Stats",
]
