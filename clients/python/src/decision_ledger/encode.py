"""The text of a decision as it is queued, stored and sent."""

import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from itertools import count
from typing import Any

from decision_ledger.marks import Marks
from decision_ledger.mask import MaskFunction
from decision_ledger.payload import copy_payload, is_at, with_marks
from decision_ledger.plain import is_plain, is_plain_text

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
    #: Whether its uploads are made again, because those that it had are gone.
    is_renewed: bool = field(default=False, compare=False)

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
    Encodes a decision as it is at this moment. A value that is no JSON is degraded alone; if the mask raises,
    the payload is dropped and the decision kept. Raises TypeError if it is not a mapping with content.
    """
    if not isinstance(decision, Mapping) or not decision:
        raise TypeError("a decision is a mapping with agent_id, action_type and so on")
    text, copy, marks = copied(decision)
    dropped: tuple[str, Exception] | None = None
    if mask is not None:
        kept = {name: copy[name] for name in HEADS if name in copy}
        try:
            given = json.loads(text) if copy is decision else copy
            text = dumps(with_marks(*masked(given, kept, marks, mask)))
        except Exception as error:
            dropped = ("mask_failed", error)
            payload = {"inputs": {}, "outputs": {}, "metadata": {DROPPED_MARK: "mask_failed"}}
            text = dumps({**kept, **payload})
    heads = ""
    if new_key is not None and "idempotency_key" not in copy:
        heads += f'"idempotency_key":"{new_key()}",'
    is_stamped = now is not None and "timestamp" not in copy
    if now is not None and is_stamped:
        heads += f'"timestamp":"{timestamp(now())}",'
    return Encoded(Entry(f"{{{heads}{text[1:]}".encode(), is_stamped), dropped)


def copied(decision: Mapping[str, Any]) -> tuple[str, Any, Marks]:
    """The text of a decision, what it was made of, and what became something else."""
    if is_plain(decision):
        text = dumps(decision)
        if is_plain_text(text):
            return text, decision, Marks()
    copy, marks = copy_payload(decision)
    return dumps(with_marks(copy, marks)), copy, marks


def masked(
    copy: dict[str, Any], kept: dict[str, Any], marks: Marks, mask: MaskFunction
) -> tuple[dict[str, Any], Marks]:
    """The mask sees what would be sent: what a conversion returns must not escape it."""
    found = mask(copy)
    if not isinstance(found, Mapping):
        raise TypeError("the mask returned no mapping")
    given = {name: value for name, value in found.items() if name not in ("timestamp", "idempotency_key")}
    fixed: dict[str, Any] = {name: kept[name] for name in ("timestamp", "idempotency_key") if name in kept}
    whole, more = copy_payload({**kept, **given, **fixed})
    marks.keep(lambda names: is_at(whole, names))
    more.join(marks)
    return whole, more


def dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def timestamp(seconds: float) -> str:
    """The RFC 3339 form of a time since the epoch."""
    moment = datetime.fromtimestamp(seconds, timezone.utc)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
