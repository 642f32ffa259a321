"""The types of decisions and receipts."""

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict


class RequiredMembers(TypedDict):
    #: The agent that made the decision.
    agent_id: str
    #: The kind of action that was decided.
    action_type: str
    inputs: Mapping[str, Any]
    outputs: Mapping[str, Any]
    #: From 0 to 1, inclusive.
    confidence: float


class Decision(RequiredMembers, total=False):
    """A decision to record."""

    #: Actions that were considered but not chosen.
    alternatives: Sequence[Mapping[str, Any]]
    human_in_loop: bool
    metadata: Mapping[str, Any]
    #: RFC 3339. Default: the time of the call.
    timestamp: str
    #: 1 to 200 printable ASCII characters, unique per decision. Default: a random one.
    idempotency_key: str


class RequiredReceipt(TypedDict):
    decision_id: str
    #: Position in the chain, from 1.
    seq: int
    timestamp: str
    created_at: str
    hash: str
    prev_hash: str


class Receipt(RequiredReceipt, total=False):
    """What the service answers for a decision."""

    #: Whether the decision was recorded before, under the same key.
    replayed: bool
    #: The signed promise that the decision is in the log.
    signed_receipt: str
    liability: Mapping[str, Any]
