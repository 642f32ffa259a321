"""The hook of pydantic-ai, against the real package and its scripted models."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from decision_ledger import Ledger
from decision_ledger.integrations.tool_calls import ToolCalls, fixed
from support.decisions import new_agent
from support.hooks import STATES, ledger_in, recording
from support.service import Service

pydantic_ai = pytest.importorskip("pydantic_ai", reason="pydantic-ai is not installed", exc_type=ImportError)

from pydantic_ai import Agent, DeferredToolRequests, FunctionToolset, ModelRetry, ToolDenied  # noqa: E402
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart  # noqa: E402
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel  # noqa: E402
from pydantic_ai.models.test import TestModel  # noqa: E402

from decision_ledger.integrations.pydantic_ai import LedgerToolset, record_denials, record_outputs  # noqa: E402


def toolset() -> FunctionToolset[None]:
    tools = FunctionToolset[None]()

    @tools.tool_plain
    def refund(order: str, amount: str) -> dict[str, str]:
        return {"order": order, "refunded": amount}

    @tools.tool_plain
    async def search(text: str) -> str:
        return f"found {text}"

    @tools.tool_plain(retries=2)
    def flaky(order: str) -> str:
        if order == "bad":
            raise ModelRetry("name another order")
        raise OSError("the bank is closed")

    @tools.tool_plain(requires_approval=True)
    def wire(amount: str) -> str:
        return f"wired {amount}"

    return tools


def scripted(*turns: list[ToolCallPart]) -> FunctionModel:
    """A model that calls these tools in turn, and then answers with a text."""

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        turn = sum(1 for message in messages if isinstance(message, ModelResponse))
        return ModelResponse(list(turns[turn]) if turn < len(turns) else [TextPart("done")])

    async def stream(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Any]:
        turn = sum(1 for message in messages if isinstance(message, ModelResponse))
        if turn >= len(turns):
            yield "done"
            return
        for index, part in enumerate(turns[turn]):
            yield {
                index: DeltaToolCall(part.tool_name, part.args_as_json_str(), tool_call_id=part.tool_call_id)
            }

    return FunctionModel(answer, stream_function=stream)


REFUND = ToolCallPart("refund", {"order": "A-1", "amount": "5.00"}, "call_1")
SEARCH = ToolCallPart("search", {"text": "x"}, "call_2")
WIRE = ToolCallPart("wire", {"amount": "9.00"}, "call_3")


def agent_with(model: Any, calls: ToolCalls) -> Agent[None, Any]:
    tools = LedgerToolset(toolset(), calls)
    return Agent(model, toolsets=[tools], name="bot", output_type=[str, DeferredToolRequests])


def run(agent: Agent[None, Any], question: str | None = "go", **options: Any) -> Any:
    return asyncio.run(agent.run(question, **options))


def test_records_parallel_calls_of_tools(service: Service) -> None:
    name = new_agent()
    with recording(service, name) as calls:
        assert run(agent_with(scripted([REFUND, SEARCH]), calls)).output == "done"
    found = {str(one["action_type"]): one for one in service.decisions(name)}
    assert found["refund"]["inputs"] == {"order": "A-1", "amount": "5.00"}
    assert found["refund"]["outputs"] == {"order": "A-1", "refunded": "5.00"}
    assert found["search"]["outputs"] == {"result": "found x"}
    metadata: Any = found["refund"]["metadata"]
    assert (metadata["tool_call_id"], metadata["confidence_source"]) == ("call_1", "fixed")
    assert found["refund"]["human_in_loop"] is False


def test_records_what_a_test_model_calls(service: Service) -> None:
    name = new_agent()
    with recording(service, name) as calls:
        run(agent_with(TestModel(call_tools=["refund", "search"]), calls))
    assert sorted(str(one["action_type"]) for one in service.decisions(name)) == ["refund", "search"]


def test_records_calls_that_fail(service: Service) -> None:
    name = new_agent()
    turns = [[ToolCallPart("flaky", {"order": order}, order)] for order in ("bad", "good")]
    with recording(service, name) as calls:
        with pytest.raises(OSError, match="bank"):
            run(agent_with(scripted(*turns), calls))
    assert [one["outputs"] for one in service.decisions(name)] == [
        {"status": "failed", "error": {"type": "ModelRetry", "message": "name another order"}},
        {"status": "failed", "error": {"type": "OSError", "message": "the bank is closed"}},
    ]


@pytest.mark.parametrize("is_approved", [True, False])
def test_an_approval_and_a_denial_are_decisions_of_a_person(service: Service, is_approved: bool) -> None:
    name = new_agent()
    with recording(service, name) as calls:
        agent = agent_with(scripted([WIRE]), calls)
        first = run(agent)
        requests = first.output
        assert isinstance(requests, DeferredToolRequests)
        answer = True if is_approved else ToolDenied("too much")
        results = requests.build_results(approvals={"call_3": answer})
        reviewers = getattr(results, "answered_by", {})
        reviewers["call_3"] = "kim"
        record_denials(calls, requests, results)
        run(agent, None, message_history=first.all_messages(), deferred_tool_results=results)
    (found,) = service.decisions(name)
    assert found["human_in_loop"] is True
    denied = {"approved": False, "reason": "too much"}
    assert found["outputs"] == ({"result": "wired 9.00"} if is_approved else denied)
    metadata: Any = found["metadata"]
    assert metadata["outcome"] == ("done" if is_approved else "denied")
    names_reviewer = not is_approved and hasattr(results, "answered_by")
    assert metadata.get("reviewer_id") == ("kim" if names_reviewer else None)


async def run_once(calls: ToolCalls, is_streamed: bool) -> Any:
    agent = agent_with(scripted([REFUND, SEARCH]), calls)
    if not is_streamed:
        return [message.kind for message in (await agent.run("go")).all_messages()]
    async with agent.run_stream("go") as result:
        return [await result.get_output(), [message.kind for message in result.all_messages()]]


@pytest.mark.parametrize("is_streamed", [False, True])
def test_the_state_of_the_ledger_changes_nothing(service: Service, is_streamed: bool) -> None:
    outputs = []
    for state in STATES:
        with ledger_in(state, service) as ledger:
            calls = ToolCalls(ledger, agent_id=new_agent(), confidence=fixed(0.8))
            outputs.append(asyncio.run(run_once(calls, is_streamed)))
    assert outputs == [outputs[0]] * len(STATES)


def test_the_name_of_the_agent_is_taken_from_the_framework(service: Service) -> None:
    name = new_agent()
    with ledger_in("works", service) as ledger:
        calls = ToolCalls(ledger, confidence=fixed(0.8))
        agent = agent_with(scripted([REFUND]), calls)
        agent.name = name
        run(agent)
    (found,) = service.decisions(name)
    metadata: Any = found["metadata"]
    assert metadata["run_id"]


@pytest.mark.parametrize("also", [[], ["final_output"]])
def test_a_final_output_is_a_decision_on_request(service: Service, also: Any) -> None:
    name = new_agent()
    with Ledger(service.url, service.test) as ledger:
        calls = ToolCalls(ledger, confidence=fixed(0.8), also=also)
        agent = Agent(
            scripted([REFUND]),
            name=name,
            toolsets=[LedgerToolset(toolset(), calls)],
            capabilities=[record_outputs(calls)],
        )
        assert run(agent).output == "done"
    found = [(one["action_type"], one["outputs"]) for one in service.decisions(name)]
    assert found[0][0] == "refund"
    assert found[1:] == ([("final_output", {"result": "done"})] if also else [])


def test_a_run_that_waits_for_a_person_has_no_final_output(service: Service) -> None:
    name = new_agent()
    with Ledger(service.url, service.test) as ledger:
        calls = ToolCalls(ledger, confidence=fixed(0.8), also=["final_output"])
        agent = Agent(
            scripted([WIRE]),
            name=name,
            output_type=[str, DeferredToolRequests],
            toolsets=[LedgerToolset(toolset(), calls)],
            capabilities=[record_outputs(calls)],
        )
        assert isinstance(run(agent).output, DeferredToolRequests)
    assert service.decisions(name) == []
