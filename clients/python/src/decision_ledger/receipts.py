"""Checks what the service answers for decisions."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

from decision_ledger.decision import Receipt
from decision_ledger.errors import LedgerConnectionError

HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Anchor:
    """The last receipt in the chain: `expect_seq` and `expect_hash` of a verification."""

    seq: int
    hash: str


def read_receipts(data: Any, number: int) -> list[Receipt]:
    """Reads the answer to a batch. Raises if it is not one receipt for each decision."""
    found = data.get("decisions") if isinstance(data, dict) else None
    if not isinstance(found, list) or len(found) != number:
        raise LedgerConnectionError(f"the answer has no receipts for {number} decisions")
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
