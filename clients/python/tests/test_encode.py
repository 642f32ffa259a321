"""What becomes of a decision before it is kept."""

import json
from dataclasses import dataclass
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from decision_ledger import AllowPaths, MaskPaths
from decision_ledger.encode import Entry, encode, key_maker
from decision_ledger.mask import Mask, MaskPath, compile_mask
from support.decisions import decision

NOW = 1_775_000_000.25


def encoded(given: Any, mask: Mask | None = None) -> Any:
    compiled = None if mask is None else compile_mask(mask)
    return json.loads(encode(given, compiled, key_maker(), lambda: NOW).entry.json)


def test_adds_a_key_and_the_time_of_the_call() -> None:
    found = encoded(decision("a"))
    assert found["timestamp"] == "2026-03-31T23:33:20.250Z"
    assert 1 <= len(found["idempotency_key"]) <= 200
    given = {**decision("a"), "idempotency_key": "mine", "timestamp": "2026-01-01T00:00:00Z"}
    assert encoded(given) == given


def test_a_stamp_may_be_left_out_later() -> None:
    entry = encode(decision("a"), None, key_maker(), lambda: NOW).entry
    assert entry.is_stamped
    again = json.loads(entry.without_stamp().json)
    assert "timestamp" not in again and "idempotency_key" in again
    assert entry.without_stamp() == Entry(entry.without_stamp().json, False)


def test_makes_json_of_common_types() -> None:
    @dataclass
    class Line:
        amount: Decimal

    inputs = {
        "line": Line(Decimal("49.00")),
        "at": datetime(2026, 1, 2, tzinfo=timezone.utc),
        "id": UUID(int=1),
    }
    assert encoded({**decision("a"), "inputs": inputs})["inputs"] == {
        "line": {"amount": "49.00"},
        "at": "2026-01-02T00:00:00+00:00",
        "id": "00000000-0000-0000-0000-000000000001",
    }


def test_replaces_what_the_ledger_cannot_store() -> None:
    inputs = {"cut": "x\ud83d", "zero": "a\0b", "escaped": "\\u0000", "pair": "\ud83d\ude00", "\udc00": 1}
    assert encoded({**decision("a"), "inputs": inputs})["inputs"] == {
        "cut": "x\ufffd",
        "zero": "a\ufffdb",
        "escaped": "\\u0000",
        "pair": "\U0001f600",
        "\ufffd": 1,
    }


def test_replaces_the_values_at_paths() -> None:
    given = {
        **decision("a"),
        "inputs": {"customer": {"email": "a@b.c", "id": 1}, "messages": [{"content": "x", "role": "user"}]},
        "outputs": {"a.b": "secret", "whole": 1},
        "alternatives": [{"card": 1}],
    }
    mask = MaskPaths(
        ["inputs.customer.email", "inputs.messages.*.content", ["outputs", "a.b"], "alternatives.0"]
    )
    found = encoded(given, mask)
    assert found["inputs"] == {
        "customer": {"email": "[masked]", "id": 1},
        "messages": [{"content": "[masked]", "role": "user"}],
    }
    assert found["outputs"] == {"a.b": "[masked]", "whole": 1}
    assert found["alternatives"] == [{}]
    assert encoded(given, MaskPaths(["inputs"]))["inputs"] == {}


def test_allows_nothing_but_the_paths() -> None:
    given = {**decision("a"), "metadata": {"customer_id": "c", "note": "x"}, "alternatives": [{"a": 1}]}
    found = encoded(given, AllowPaths(["inputs.order", "metadata.customer_id"]))
    assert found["inputs"] == {"order": "A-1"}
    assert found["outputs"] == {}
    assert found["metadata"] == {"customer_id": "c"}
    assert "alternatives" not in found


def test_a_function_sees_what_would_be_sent_and_cannot_change_key_and_time() -> None:
    seen: list[Any] = []

    def mask(copy: dict[str, Any]) -> dict[str, Any]:
        seen.append(copy)
        return {"inputs": {"amount": copy["inputs"]["amount"]}, "outputs": {}, "idempotency_key": "other"}

    given = {**decision("a"), "inputs": {"amount": Decimal("1.10")}, "idempotency_key": "mine"}
    found = encoded(given, mask)
    assert seen[0]["inputs"] == {"amount": "1.10"}
    assert (found["inputs"], found["idempotency_key"]) == ({"amount": "1.10"}, "mine")


def raising(_: dict[str, Any]) -> dict[str, Any]:
    raise KeyError("secret")


@pytest.mark.parametrize("mask", [raising, lambda copy: None])
def test_a_mask_that_fails_drops_the_payload_and_keeps_the_decision(mask: Any) -> None:
    found = encoded(decision("a"), mask)
    assert found["inputs"] == {} and found["metadata"] == {"ledger_payload_dropped": "mask_failed"}


def test_an_empty_path_of_a_mask_is_refused() -> None:
    wrong: list[MaskPath] = ["", "inputs..a", []]
    for path in wrong:
        with pytest.raises(ValueError, match="path of the mask"):
            compile_mask(MaskPaths([path]))
