"""The text of a decision as it is queued, stored and sent."""

import dataclasses
import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timezone
from decimal import Decimal
from enum import Enum
from itertools import count
from pathlib import PurePath
from typing import Any
from uuid import UUID

from decision_ledger.mask import MaskFunction

#: Marks a decision whose payload was dropped: an empty payload may also be what was decided on.
DROPPED_MARK = "ledger_payload_dropped"
#: Where the time of a decision stands that came too late.
DECIDED_AT = "decided_at"
HEADS = ("agent_id", "action_type", "confidence", "human_in_loop", "timestamp", "idempotency_key")
STAMP = re.compile(r'^(\{(?:"idempotency_key":"[^"\\]*",)?)"timestamp":"[^"\\]*",')


@dataclass(frozen=True)
class Entry:
    """A member of `decisions` in `POST /decisions/batch`."""

    json: bytes
    #: Whether the timestamp is the client's own, so that it may be left out.
    is_stamped: bool

    #: The decision as it was recorded, if this is another form of it.
    recorded: "Entry | None" = field(default=None, compare=False)

    def without_stamp(self) -> "Entry":
        return Entry(STAMP.sub(r"\1", self.json.decode()).encode(), False, self)

    def with_decided_at(self) -> "Entry | None":
        """With its time in the metadata, because the service refused its age; None if it has none."""
        decision = json.loads(self.json)
        decided_at = decision.pop("timestamp", None)
        metadata = decision.get("metadata", {})
        if decided_at is None or not isinstance(metadata, dict):
            return None
        decision["metadata"] = {**metadata, DECIDED_AT: decided_at}
        return Entry(dumps(decision).encode(), False, self)


@dataclass(frozen=True)
class Encoded:
    entry: Entry
    #: Why the payload was dropped, and what was raised.
    dropped: tuple[str, Exception] | None


def key_maker() -> Callable[[], str]:
    """Makes unique idempotency keys: a random text of this client, and a number."""
    prefix = os.urandom(16).hex()
    numbers = count(1)
    return lambda: f"{prefix}-{next(numbers)}"


def encode(
    decision: Mapping[str, Any],
    mask: MaskFunction | None,
    new_key: Callable[[], str] | None,
    now: Callable[[], float] | None,
) -> Encoded:
    """
    Encodes a decision as it is at this moment. A payload that is no JSON, or whose mask raises, is
    dropped; the decision is kept. Raises TypeError if it is not a mapping with content.
    """
    if not isinstance(decision, Mapping) or not decision:
        raise TypeError("a decision is a mapping with agent_id, action_type and so on")
    dropped: tuple[str, Exception] | None = None
    reason = "not_serializable"
    try:
        text = dumps(decision)
        if mask is not None:
            copy = json.loads(text)
            reason = "mask_failed"
            text = masked_text(copy, mask)
    except Exception as error:
        dropped = (reason, error)
        text = dumps(without_payload(decision, reason))
    heads = ""
    if new_key is not None and "idempotency_key" not in decision:
        heads += f'"idempotency_key":"{new_key()}",'
    is_stamped = now is not None and "timestamp" not in decision
    if now is not None and is_stamped:
        heads += f'"timestamp":"{timestamp(now())}",'
    return Encoded(Entry(f"{{{heads}{well_formed(text)[1:]}".encode(), is_stamped), dropped)


def masked_text(copy: dict[str, Any], mask: MaskFunction) -> str:
    """The mask sees what would be sent: what a conversion returns must not escape it."""
    heads = {name: copy[name] for name in HEADS if name in copy}
    fixed: dict[str, Any] = {name: copy[name] for name in ("timestamp", "idempotency_key") if name in copy}
    masked = mask(copy)
    if not isinstance(masked, Mapping):
        raise TypeError("the mask returned no mapping")
    left: dict[str, Any] = {
        name: value for name, value in masked.items() if name not in ("timestamp", "idempotency_key")
    }
    kept: dict[str, Any] = {**heads, **left, **fixed}
    return dumps(kept)


def without_payload(decision: Mapping[str, Any], reason: str) -> dict[str, Any]:
    heads = {name: decision[name] for name in HEADS if name in decision}
    return {**heads, "inputs": {}, "outputs": {}, "metadata": {DROPPED_MARK: reason}}


def dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=plain)


def plain(value: Any) -> Any:
    """JSON for common types of Python. Amounts stay decimal text."""
    if isinstance(value, (datetime, date, time)):
        return value.isoformat()
    if isinstance(value, (Decimal, UUID, PurePath)):
        return str(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return dict(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {one.name: getattr(value, one.name) for one in dataclasses.fields(value)}
    dump = getattr(value, "model_dump", None)
    if callable(dump) and not isinstance(value, type):
        return dump(mode="json")
    raise TypeError(f"{type(value).__name__} is not JSON")


def well_formed(text: str) -> str:
    """Replaces characters that the ledger cannot store: U+0000, and half of an emoji that was cut."""
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if "\\u0000" not in text:
        return text
    # An escaped backslash before `u0000` is no escape: pairs of backslashes are skipped.
    return re.sub(r"\\\\|\\u0000", lambda found: "\ufffd" if found[0] == "\\u0000" else found[0], text)


def timestamp(seconds: float) -> str:
    """The RFC 3339 form of a time since the epoch."""
    moment = datetime.fromtimestamp(seconds, timezone.utc)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
