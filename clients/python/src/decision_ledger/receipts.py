"""Checks what the service answers for decisions."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

from decision_ledger.decision import Receipt
from decision_ledger.errors import LedgerApiError, LedgerConnectionError

HASH = re.compile(r"[0-9a-f]{64}")
#: The status that a decision would have been refused with alone, where it is not 422.
STATUS = {"forbidden": 403, "idempotency_conflict": 409}


@dataclass(frozen=True)
class Anchor:
    """The last receipt in the chain: `expect_seq` and `expect_hash` of a verification."""

    seq: int
    hash: str


@dataclass(frozen=True)
class BatchAnswer:
    """What became of the decisions of a batch."""

    #: Of those that are recorded, in their order.
    receipts: list[Receipt]
    #: Why others were refused, by their places.
    refused: dict[int, LedgerApiError]


def read_answer(data: Any, number: int) -> BatchAnswer:
    """Reads the answer to a batch. Raises if it is not a receipt or a refusal for each decision."""
    found = data.get("decisions") if isinstance(data, dict) else None
    refused = read_refusals(data.get("refused", []) if isinstance(data, dict) else [], number)
    if not isinstance(found, list) or len(found) + len(refused) != number:
        raise LedgerConnectionError(f"the answer has no receipts for {number} decisions")
    return BatchAnswer(read_receipts(found), refused)


def read_whole_refusal(error: LedgerApiError, number: int) -> BatchAnswer | None:
    """The refusal of a batch of which no decision is recorded; None if it does not say why for each."""
    try:
        refused = read_refusals(error.details.get("refused"), number)
    except LedgerConnectionError:
        return None
    return BatchAnswer([], refused) if len(refused) == number else None


def read_refusals(found: Any, number: int) -> dict[int, LedgerApiError]:
    """Raises if it does not say for different decisions of the batch why they were refused."""
    refused: dict[int, LedgerApiError] = {}
    for one in found if isinstance(found, list) else [None]:
        index, error = (one.get("index"), one.get("error")) if isinstance(one, dict) else (None, None)
        is_place = isinstance(index, int) and not isinstance(index, bool) and 0 <= index < number
        if not isinstance(index, int) or not is_place or index in refused or not isinstance(error, dict):
            raise LedgerConnectionError("the answer names no decision that it refuses")
        code = str(error.get("code"))
        details = error.get("details")
        status = STATUS.get(code, 422)
        refused[index] = LedgerApiError(
            code,
            f"{status} {code}: {error.get('message')}",
            status,
            details if isinstance(details, dict) else {},
        )
    return refused


def read_receipts(found: list[Any]) -> list[Receipt]:
    receipts = [read_receipt(one) for one in found]
    # Two members with the same key are one decision; the second is a replay.
    added = [receipt["decision_id"] for receipt in receipts if not receipt.get("replayed")]
    if len(set(added)) != len(added):
        raise LedgerConnectionError("the answer names a decision twice")
    return receipts


def read_receipt(value: Any) -> Receipt:
    """Raises LedgerConnectionError if it is no receipt."""
    if not isinstance(value, dict) or not is_receipt(value):
        raise LedgerConnectionError("the answer has an incomplete receipt")
    # Checked above.
    return cast(Receipt, value)


def is_receipt(value: dict[str, Any]) -> bool:
    seq, name = value.get("seq"), value.get("decision_id")
    hashes = (value.get("hash"), value.get("prev_hash"))
    is_placed = isinstance(seq, int) and not isinstance(seq, bool) and seq >= 1
    is_named = isinstance(name, str) and name.startswith("dec_")
    return is_placed and is_named and all(isinstance(one, str) and HASH.fullmatch(one) for one in hashes)


class ReceiptCheck:
    """Compares receipts with the chain as the earlier ones showed it."""

    def __init__(self, anchor: Anchor | None, keep: Callable[[Anchor], None]) -> None:
        self.anchor = anchor
        self._keep = keep

    def take_batch(self, receipts: Sequence[Receipt], before: Anchor | None) -> str | None:
        """
        Takes those of a batch. `before` is the anchor when it was first sent: another thread may have got a
        later receipt since. Returns a contradiction.
        """
        if not receipts:
            return None
        added = [receipt for receipt in receipts if not receipt.get("replayed")]
        self.take(receipts)
        if before is not None and added and added[0]["seq"] <= before.seq:
            return (
                f"a new decision has seq {added[0]['seq']}, but {before.seq} was given before: "
                "the ledger was restored or replaced"
            )
        for previous, receipt in pairwise(added):
            if receipt["seq"] != previous["seq"] + 1 or receipt["prev_hash"] != previous["hash"]:
                return f"the receipts of a batch do not form a chain at seq {receipt['seq']}"
        return None

    def take(self, receipts: Sequence[Receipt]) -> None:
        """Keeps the highest receipt as the anchor."""
        highest = max(receipts, key=lambda receipt: receipt["seq"])
        if self.anchor is None or highest["seq"] > self.anchor.seq:
            self.anchor = Anchor(highest["seq"], highest["hash"])
            self._keep(self.anchor)
