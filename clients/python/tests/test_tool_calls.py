"""What the integrations have in common."""

import logging
from typing import Any

import pytest

from decision_ledger import Ledger
from decision_ledger.integrations.tool_calls import (
    ToolCall,
    ToolCalls,
    failed,
    final_output,
    fixed,
    from_argument,
    handoff,
    returned,
)
from support.decisions import new_agent
from support.service import Service

CALL = ToolCall("refund", {"order": "A-1", "sure": 0.7}, {"result": "done"}, call_id="call_1")


def recorded(service: Service, calls: list[ToolCall], **options: Any) -> list[dict[str, Any]]:
    agent = new_agent()
    with Ledger(service.url, service.test) as ledger:
        tool_calls = ToolCalls(ledger, **{"agent_id": agent, **options})
        for call in calls:
            tool_calls.record(call)
    return service.decisions(agent)


def test_the_source_of_a_confidence_is_on_record(service: Service) -> None:
    sources = [fixed(0.8), from_argument("sure"), lambda call: 0.4]
    found = [recorded(service, [CALL], confidence=source)[0] for source in sources]
    assert [(one["confidence"], one["metadata"]["confidence_source"]) for one in found] == [
        (0.8, "fixed"),
        (0.7, "argument"),
        (0.4, "callback"),
    ]
    assert found[0]["metadata"]["tool_call_id"] == "call_1"
    assert found[0]["action_type"] == "refund" and found[0]["outputs"] == {"result": "done"}


def test_a_fixed_confidence_does_not_move_the_estimate(service: Service) -> None:
    low, high = (recorded(service, [CALL], confidence=fixed(value))[0] for value in (0.05, 0.99))
    with Ledger(service.url, service.test) as ledger:
        estimates = [ledger.call("GET", f"/decisions/{one['decision_id']}/liability") for one in (low, high)]
    factors = [one["estimates"][-1]["parts"]["confidence_factor"] for one in estimates]
    assert factors[0] == factors[1]


def test_without_a_confidence_nothing_is_recorded_and_the_remedy_is_logged_once(
    service: Service, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "decision_ledger"):
        assert recorded(service, [CALL, CALL]) == []
    assert len(caplog.records) == 1
    assert "confidence=fixed(0.8)" in caplog.records[0].getMessage()


def test_only_the_named_tools_are_decisions(service: Service) -> None:
    other = ToolCall("search", {}, {})
    found = recorded(service, [CALL, other], confidence=fixed(0.8), only=["refund"])
    assert [one["action_type"] for one in found] == ["refund"]


def test_a_callback_adds_what_attribution_looks_for(service: Service) -> None:
    (found,) = recorded(
        service, [CALL], confidence=fixed(0.8), metadata=lambda call: {"order_id": call.arguments["order"]}
    )
    assert found["metadata"]["order_id"] == "A-1"


def test_a_fault_is_logged_and_never_raised(service: Service, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "decision_ledger"):
        assert recorded(service, [CALL], confidence=lambda call: 1 / 0) == []
    assert "ZeroDivisionError" in caplog.text


def test_a_result_that_is_no_json_degrades_alone(service: Service) -> None:
    call = ToolCall("refund", {"order": {1, 2}}, {"result": complex(1, 2), "amount": "5.00"})
    (found,) = recorded(service, [call], confidence=fixed(0.8))
    assert found["inputs"] == {"order": [1, 2]}
    assert found["outputs"] == {"result": "(1+2j)", "amount": "5.00"}
    assert found["metadata"]["degraded"] == ["/inputs/order", "/outputs/result"]


def test_what_is_no_tool_is_a_decision_on_request_alone(service: Service) -> None:
    calls = [handoff("desk", ["billing"]), final_output("desk", "done")]
    assert recorded(service, calls, confidence=fixed(0.8)) == []
    found = recorded(service, [*calls, CALL], confidence=fixed(0.8), also=["handoff"], only=[])
    assert [(one["action_type"], one["outputs"]) for one in found] == [
        ("handoff", {"handed_to": ["billing"]})
    ]


class NoText(Exception):
    """As it is raised or returned by code of others."""

    def __str__(self) -> str:
        raise RuntimeError("no text")


class NoMapping(dict[str, int]):
    def keys(self) -> Any:
        raise RuntimeError("no keys")


def test_what_has_no_text_costs_no_decision(service: Service) -> None:
    nested: Any = 1
    for _ in range(5000):
        nested = [nested]
    outputs = [failed(NoText()), returned(NoText()), returned({"a": 1, "b": NoText()}), returned(nested)]
    calls = [ToolCall("refund", {}, one) for one in [*outputs, returned(NoMapping(a=1))]]
    found = [one["outputs"] for one in recorded(service, calls, confidence=fixed(0.8))]
    assert found[:3] == [
        {"status": "failed", "error": {"type": "NoText", "message": "<NoText>"}},
        {"result": "[unreadable]"},
        {"a": 1, "b": "[unreadable]"},
    ]
    assert len(found) == 5
