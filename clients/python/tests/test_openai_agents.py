"""The hook of the OpenAI Agents SDK, against the real package and a scripted model."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from decision_ledger import Ledger
from decision_ledger.integrations.tool_calls import ToolCalls, fixed
from support.decisions import new_agent
from support.hooks import STATES, ledger_in, recording
from support.service import Service

pytest.importorskip("agents", reason="the OpenAI Agents SDK is not installed", exc_type=ImportError)

from agents import (
    Agent,
    GuardrailFunctionOutput,
    InputGuardrail,
    Model,
    ModelResponse,
    OutputGuardrail,
    RunConfig,
    Runner,
    ToolGuardrailFunctionOutput,
    ToolInputGuardrail,
    Usage,
    function_tool,
)
from openai.types.responses import (
    Response,
    ResponseCompletedEvent,
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)

from decision_ledger.integrations.openai_agents import LedgerHooks

QUIET = RunConfig(tracing_disabled=True)


class ScriptedModel(Model):
    """Calls these tools in its first turn, and then answers with a text."""

    def __init__(self, *turn: ResponseFunctionToolCall) -> None:
        text = ResponseOutputText(annotations=[], text="done", type="output_text")
        message = ResponseOutputMessage(
            id="msg_1", content=[text], role="assistant", status="completed", type="message"
        )
        self._turns: list[list[Any]] = [list(turn), [message]]

    async def get_response(self, *_: Any, **__: Any) -> ModelResponse:
        return ModelResponse(output=self._turns.pop(0), usage=Usage(), response_id=None)

    async def stream_response(self, *_: Any, **__: Any) -> AsyncIterator[Any]:
        response = Response(
            id="resp_1",
            created_at=0,
            model="scripted",
            object="response",
            output=self._turns.pop(0),
            parallel_tool_calls=True,
            tool_choice="auto",
            tools=[],
        )
        yield ResponseCompletedEvent(response=response, sequence_number=0, type="response.completed")


def call(name: str, call_id: str, **arguments: str) -> ResponseFunctionToolCall:
    text = json.dumps(arguments)
    return ResponseFunctionToolCall(arguments=text, call_id=call_id, name=name, type="function_call")


@function_tool
def refund(order: str) -> str:
    return f"refunded {order}"


@function_tool
async def search(text: str) -> str:
    return f"found {text}"


@function_tool
def flaky(order: str) -> str:
    raise OSError("the bank is closed")


@function_tool(needs_approval=True)
def wire(amount: str) -> str:
    return f"wired {amount}"


def agent_of(name: str, *turn: ResponseFunctionToolCall) -> Agent[Any]:
    return Agent(name=name, model=ScriptedModel(*turn), tools=[refund, search, flaky, wire])


def test_records_parallel_calls_of_tools(service: Service) -> None:
    name = new_agent()
    agent = agent_of(name, call("refund", "call_1", order="A-1"), call("search", "call_2", text="x"))
    with ledger_in("works", service) as ledger:
        hooks = LedgerHooks(ToolCalls(ledger, confidence=fixed(0.8)))
        result = asyncio.run(Runner.run(agent, "go", hooks=hooks, run_config=QUIET))
    assert result.final_output == "done"
    found = {str(one["action_type"]): one for one in service.decisions(name)}
    assert found["refund"]["inputs"] == {"order": "A-1"}
    assert found["refund"]["outputs"] == {"result": "refunded A-1"}
    assert found["search"]["outputs"] == {"result": "found x"}
    metadata: Any = found["refund"]["metadata"]
    assert (metadata["tool_call_id"], metadata["confidence_source"]) == ("call_1", "fixed")
    assert found["refund"]["human_in_loop"] is False


def test_records_a_call_that_fails(service: Service) -> None:
    name = new_agent()
    with recording(service, name) as calls:
        agent = agent_of(name, call("flaky", "call_1", order="A-1"))
        asyncio.run(Runner.run(agent, "go", hooks=LedgerHooks(calls), run_config=QUIET))
    (found,) = service.decisions(name)
    outputs: Any = found["outputs"]
    assert outputs["result"].startswith("An error occurred")
    metadata: Any = found["metadata"]
    assert metadata["outcome"] == "failed"


@pytest.mark.parametrize("is_approved", [True, False])
def test_an_approval_and_a_rejection_are_decisions_of_a_person(service: Service, is_approved: bool) -> None:
    name = new_agent()

    async def main(hooks: LedgerHooks) -> None:
        agent = agent_of(name, call("wire", "call_1", amount="9.00"))
        first = await Runner.run(agent, "go", hooks=hooks, run_config=QUIET)
        state = first.to_state()
        (item,) = first.interruptions
        if is_approved:
            state.approve(item)
        else:
            state.reject(item)
            hooks.rejected(item, "too much")
        await Runner.run(agent, state, hooks=hooks, run_config=QUIET)

    with recording(service, name) as calls:
        asyncio.run(main(LedgerHooks(calls)))
    (found,) = service.decisions(name)
    assert found["human_in_loop"] is True
    assert found["inputs"] == {"amount": "9.00"}
    denied = {"approved": False, "reason": "too much"}
    assert found["outputs"] == ({"result": "wired 9.00"} if is_approved else denied)


ALL: Any = ["handoff", "final_output", "guardrail"]


@pytest.mark.parametrize("also", [[], ALL])
def test_a_handoff_and_a_final_output_are_decisions_on_request(service: Service, also: Any) -> None:
    name = new_agent()
    billing = Agent(name=f"{name}-billing", model=ScriptedModel(call("refund", "call_1", order="A-1")))
    billing.tools = [refund]
    transfer = call(f"transfer_to_{billing.name.replace('-', '_')}", "call_0")
    desk = Agent(name=name, model=ScriptedModel(transfer), handoffs=[billing])
    with Ledger(service.url, service.test) as ledger:
        hooks = LedgerHooks(ToolCalls(ledger, confidence=fixed(0.8), also=also))
        result = asyncio.run(Runner.run(desk, "go", hooks=hooks, run_config=QUIET))
    assert result.final_output == "done"
    found = [(one["action_type"], one["outputs"]) for one in service.decisions(billing.name)]
    refunded = ("refund", {"result": "refunded A-1"})
    assert found == ([refunded, ("final_output", {"result": "done"})] if also else [refunded])
    handed = [(one["action_type"], one["outputs"]) for one in service.decisions(name)]
    assert handed == ([("handoff", {"handed_to": [billing.name]})] if also else [])


async def refuse(*_: Any) -> GuardrailFunctionOutput:
    return GuardrailFunctionOutput(output_info={"score": 0.97}, tripwire_triggered=True)


def refuse_tool(data: Any) -> ToolGuardrailFunctionOutput:
    return ToolGuardrailFunctionOutput.raise_exception(output_info={"score": 0.97})


@function_tool(tool_input_guardrails=[ToolInputGuardrail(refuse_tool, name="limits")])
def guarded() -> str:
    return "refunded"


@pytest.mark.parametrize("checked", ["input", "output", "tool_input"])
def test_a_guardrail_that_stops_a_run_is_a_decision_on_request(service: Service, checked: str) -> None:
    name = new_agent()
    agent = Agent(name=name, model=ScriptedModel(call("guarded", "call_1")), tools=[guarded])
    if checked == "input":
        agent.input_guardrails = [InputGuardrail(refuse, name="limits")]
    if checked == "output":
        agent.model = ScriptedModel(call("refund", "call_1", order="A-1"))
        agent.tools = [refund]
        agent.output_guardrails = [OutputGuardrail(refuse, name="limits")]
    with Ledger(service.url, service.test) as ledger:
        hooks = LedgerHooks(ToolCalls(ledger, confidence=fixed(0.8), only=[], also=["guardrail"]))
        with pytest.raises(Exception, match="tripwire") as caught:
            asyncio.run(Runner.run(agent, "go", hooks=hooks, run_config=QUIET))
        hooks.stopped(caught.value)
        hooks.stopped(ValueError("another"))
    (found,) = service.decisions(name)
    assert found["inputs"] == {"guardrail": "limits", "checked": checked}
    assert found["outputs"] == {"stopped": True, "info": {"score": 0.97}}


async def run_once(hooks: LedgerHooks, is_streamed: bool) -> Any:
    agent = agent_of(new_agent(), call("refund", "call_1", order="A-1"), call("search", "call_2", text="x"))
    if not is_streamed:
        result = await Runner.run(agent, "go", hooks=hooks, run_config=QUIET)
        return [result.final_output, [item.type for item in result.new_items]]
    streamed = Runner.run_streamed(agent, "go", hooks=hooks, run_config=QUIET)
    events = [event.type async for event in streamed.stream_events()]
    return [streamed.final_output, sorted(events)]


@pytest.mark.parametrize("is_streamed", [False, True])
def test_the_state_of_the_ledger_changes_nothing(service: Service, is_streamed: bool) -> None:
    outputs = []
    for state in STATES:
        with ledger_in(state, service) as ledger:
            hooks = LedgerHooks(ToolCalls(ledger, confidence=fixed(0.8), also=ALL))
            outputs.append(asyncio.run(run_once(hooks, is_streamed)))
    assert outputs == [outputs[0]] * len(STATES)
