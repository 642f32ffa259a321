"""What becomes of odd values, against the cases that every way of recording shares."""

import json
import time
from typing import Any

import pytest

from decision_ledger import AllowPaths, MaskPaths
from decision_ledger.encode import encode, key_maker
from decision_ledger.integrations.tool_calls import ToolCall, ToolCalls, fixed
from decision_ledger.json_text import read_json_text
from decision_ledger.mask import Mask, compile_mask
from support.odd_values import ODD_VALUES
from support.service import REPOSITORY

CASES: list[dict[str, Any]] = json.loads((REPOSITORY / "vectors/values.json").read_text())["cases"]
#: What tests may lack.
LIBRARIES = ("numpy", "pandas", "pydantic")
WAYS = ("python", *LIBRARIES)


def cases_of(*ways: str) -> list[Any]:
    return [
        pytest.param(case, next(way for way in ways if way in case["ways"]), id=case["name"])
        for case in CASES
        if any(way in case["ways"] for way in ways)
    ]


def whole(value: Any) -> Any:
    if not isinstance(value, dict) or "$repeat" not in value:
        return value
    one, times = value["$repeat"], value["times"]
    if isinstance(one, str):
        return one * times
    return [one] * times + ([value["end"]] if "end" in value else [])


def recorded(inputs: Any, mask: Mask | None = None) -> Any:
    decision = {
        "agent_id": "desk",
        "action_type": "refund",
        "inputs": inputs,
        "outputs": {},
        "confidence": 0.8,
    }
    compiled = None if mask is None else compile_mask(mask)
    return json.loads(encode(decision, compiled, key_maker(), lambda: 1.0).entry.json)


def held(found: Any) -> tuple[Any, Any]:
    return found["inputs"], found.get("metadata", {}).get("degraded", [])


def test_every_case_of_this_language_has_a_value_and_every_value_a_case() -> None:
    names = [case["name"] for case in CASES if any(way in case["ways"] for way in WAYS)]
    assert sorted(ODD_VALUES) == sorted(names)


@pytest.mark.parametrize(("case", "way"), cases_of(*WAYS))
def test_an_odd_value_degrades_alone(case: dict[str, Any], way: str) -> None:
    if way in LIBRARIES:
        pytest.importorskip(way)
    found = recorded({"kept": "49.00", "odd": ODD_VALUES[case["name"]]()})
    assert held(found) == ({"kept": "49.00", "odd": whole(case["becomes"])}, case["degraded"])


@pytest.mark.parametrize(("case", "way"), cases_of("json-text"))
def test_an_odd_value_in_a_json_text_degrades_alone(case: dict[str, Any], way: str) -> None:
    found = recorded(read_json_text(f'{{"kept":"49.00","odd":{case["text"]}}}'))
    assert held(found) == ({"kept": "49.00", "odd": whole(case["becomes"])}, case["degraded"])


class Recorder:
    """Keeps what hooks hand on."""

    def __init__(self) -> None:
        self.found: list[Any] = []

    def record(self, decision: Any) -> None:
        self.found.append(json.loads(encode(decision, None, key_maker(), lambda: 1.0).entry.json))


@pytest.mark.parametrize(("case", "way"), cases_of(*WAYS))
def test_an_odd_argument_of_a_tool_degrades_alone(case: dict[str, Any], way: str) -> None:
    if way in LIBRARIES:
        pytest.importorskip(way)
    ledger: Any = Recorder()
    arguments = {"kept": "49.00", "odd": ODD_VALUES[case["name"]]()}
    ToolCalls(ledger, agent_id="desk", confidence=fixed(0.8)).record(ToolCall("refund", arguments, {}))
    (found,) = ledger.found
    assert found["inputs"]["kept"] == "49.00"
    # The metadata of a hook takes places of a list that is cut.
    if case["name"] != "list of 100,000":
        assert held(found) == ({"kept": "49.00", "odd": whole(case["becomes"])}, case["degraded"])


@pytest.mark.parametrize(
    ("inputs", "expected", "degraded"),
    [
        ([1], {"value": [1]}, ["/inputs"]),
        ({float("nan")}, {"value": ["NaN"]}, ["/inputs", "/inputs/value", "/inputs/value/0"]),
        (None, {"value": None}, ["/inputs"]),
    ],
)
def test_what_stands_in_the_place_of_all_inputs_is_kept(inputs: Any, expected: Any, degraded: Any) -> None:
    assert held(recorded(inputs)) == (expected, degraded)


def test_references_that_double_end_soon_and_cost_nothing_beside_them() -> None:
    odd: Any = [1]
    for _ in range(60):
        odd = [odd, odd]
    start = time.monotonic()
    kept = {"amount": "49.00"}
    found = recorded({"before": kept, "odd": odd, "after": kept})
    assert (found["inputs"]["before"], found["inputs"]["after"]) == (kept, kept)
    assert found["metadata"]["degraded_count"] > 100
    assert time.monotonic() - start < 10


def test_paths_are_counted_beyond_32_of_them() -> None:
    metadata = recorded({"odd": [float("nan")] * 1000})["metadata"]
    assert (len(metadata["degraded"]), metadata["degraded_count"]) == (32, 1000)


def test_no_path_tells_what_a_mask_removed() -> None:
    inputs = {"secret": {"name": float("nan")}, "odd": 2**64}
    found = recorded(inputs, AllowPaths(["inputs.odd"]))
    assert held(found) == ({"odd": "18446744073709551616"}, ["/inputs/odd"])


def test_what_hides_a_member_hides_those_that_its_text_repeats() -> None:
    found = recorded(read_json_text('{"card":1,"card":2,"cards":3}'), MaskPaths(["inputs.card"]))
    assert found["inputs"] == {"card": "[masked]", "card (2)": "[masked]", "cards": 3}


def test_a_mask_may_return_odd_values() -> None:
    found = recorded({"odd": 1}, lambda copy: {"inputs": {"odd": {"a"}}, "outputs": {}})
    assert held(found) == ({"odd": ["a"]}, ["/inputs/odd"])


def test_plain_decisions_are_written_as_they_are() -> None:
    inputs = {"a": [1, 2.5, None, True, {"b": "é\n"}], "deep": [[[[]]]]}
    found = recorded(inputs)
    assert found["inputs"] == inputs and "metadata" not in found


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a":[1,{"b":null}],"c":"\\u00e9"}', {"a": [1, {"b": None}], "c": "é"}),
        (' [1.5, true, ""] ', [1.5, True, ""]),
        ("true", "true"),
        ("12", "12"),
        ('"text"', '"text"'),
        ('{"a":1} and more', '{"a":1} and more'),
        ("[NaN]", "[NaN]"),
        ("[" * 100_000, "[" * 100_000),
    ],
)
def test_a_text_that_is_whole_json_is_read_as_what_it_is(text: str, value: Any) -> None:
    assert read_json_text(text) == value
