"""The golden bytes that every implementation agrees on."""

import json
import struct
from typing import Any

import pytest

from decision_ledger.canonical import canonical_json, number
from decision_ledger.proof import commitment_of, disclosure_text, entry_hash, entry_text, read_disclosure
from support.service import REPOSITORY

VECTORS = REPOSITORY / "vectors"


def load(name: str) -> Any:
    return json.loads((VECTORS / name).read_text())


def test_writes_canonical_json() -> None:
    values = load("canonical-json.json")["values"]
    assert len(values) >= 10
    for case in values:
        assert canonical_json(json.loads(case["text"])) == case["canonical"], case["name"]
        assert canonical_json(json.loads(case["text"])).encode().hex() == case["utf8"], case["name"]


def test_writes_numbers_as_ecmascript() -> None:
    vectors = load("canonical-json.json")
    assert len(vectors["numbers"]) >= 24
    for case in vectors["numbers"]:
        assert number(struct.unpack(">d", bytes.fromhex(case["ieee754"]))[0]) == case["text"]
    for bits in vectors["refused_numbers"]:
        with pytest.raises(ValueError):
            number(struct.unpack(">d", bytes.fromhex(bits))[0])


def test_refuses_what_json_cannot_express() -> None:
    cycle: list[Any] = []
    cycle.append(cycle)
    for value in (cycle, "\ud800", {"\udc00": 1}, 2**53 + 1):
        with pytest.raises(ValueError):
            canonical_json(value)
    for other in (object(), {1: 2}, b"bytes"):
        with pytest.raises(TypeError):
            canonical_json(other)
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert canonical_json(deep) == "[" * 100_001 + "]" * 100_001
    while deep:  # step by step: the interpreter frees a deep list recursively
        deep = deep[0]


def test_accepts_what_the_gate_accepts() -> None:
    for case in load("gate.json")["accepted"]:
        assert canonical_json(json.loads(case["text"])) == case["canonical"], case["text"]


def test_makes_disclosures_and_takes_them_apart() -> None:
    vectors = load("disclosures.json")
    for case in vectors["whole"]:
        value = json.loads(case["value"])
        assert disclosure_text(case["salt"], case["field"], value) == case["disclosure"]
        assert commitment_of(case["disclosure"]) == case["commitment"]
        assert read_disclosure(case["disclosure"], case["field"]) == (case["salt"], value)
    for case in vectors["commitments"]:
        assert commitment_of(case["disclosure"]) == case["commitment"]
    for case in vectors["refused"]:
        with pytest.raises(ValueError):
            read_disclosure(case["disclosure"], case["field"])


def test_writes_and_hashes_entries() -> None:
    for case in load("entries.json")["whole"]:
        text = entry_text(case["type"], case["fields"])
        assert text == case["entry"], case["name"]
        assert entry_hash(text) == case["hash"], case["name"]


@pytest.mark.parametrize(
    "name", ["good", "good-erased", "good-activity", "good-activity-dated", "good-middle"]
)
def test_recomputes_whole_chains(name: str) -> None:
    chain = load(f"chains/{name}.json")
    previous = chain["start"]["hash"]
    for record in chain["records"]:
        entry = json.loads(record["entry"])
        kind = entry.pop("_type")
        assert entry_hash(entry_text(kind, entry)) == record["hash"]
        assert record["prevHash"] == entry["prev_hash"] == previous
        for field, disclosure in record["disclosures"].items():
            if disclosure is not None:
                assert commitment_of(disclosure) == entry["commitments"][field]
        previous = record["hash"]
    assert previous == chain["head"]["hash"]
