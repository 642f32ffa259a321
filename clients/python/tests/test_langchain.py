"""The hook of LangChain, against the real package and its fake chat models."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from decision_ledger import Ledger
from decision_ledger.integrations.tool_calls import ToolCalls, fixed
from support.decisions import new_agent
from support.hooks import STATES, ledger_in, recording
from support.service import Service

pytest.importorskip("langchain", reason="LangChain is not installed", exc_type=ImportError)

from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware, ToolRetryMiddleware
from langchain_core.language_models.fake_chat_models import FakeMessagesListChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.tools import BaseTool, tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command

from decision_ledger.integrations.langchain import LedgerMiddleware


class ScriptedModel(FakeMessagesListChatModel):
    """Answers in turn, whatever tools it is offered."""

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> Any:
        return self


@tool
def refund(order: str) -> str:
    """Refunds an order."""
    return f"refunded {order}"


@tool
def search(text: str) -> str:
    """Searches."""
    return f"found {text}"


@tool
def flaky(order: str) -> str:
    """Fails."""
    raise OSError("the bank is closed")


TOOLS: list[BaseTool] = [refund, search, flaky]


def call(name: str, call_id: str, **arguments: str) -> Any:
    return {"name": name, "args": arguments, "id": call_id, "type": "tool_call"}


REFUND = call("refund", "call_1", order="A-1")
SEARCH = call("search", "call_2", text="x")
FLAKY = call("flaky", "call_3", order="A-1")


def agent_with(calls: ToolCalls, turn: list[Any], *more: Any, reviewed: Sequence[str] = ()) -> Any:
    answers: list[BaseMessage] = [AIMessage("", tool_calls=turn), AIMessage("done")]
    middleware = [LedgerMiddleware(calls, reviewed), *more]
    return create_agent(
        ScriptedModel(responses=answers), TOOLS, middleware=middleware, checkpointer=InMemorySaver()
    )


QUESTION: Any = {"messages": [("user", "go")]}
THREAD: Any = {"configurable": {"thread_id": "1"}}


def test_records_parallel_calls_of_tools(service: Service) -> None:
    name = new_agent()
    with recording(service, name) as calls:
        answer = agent_with(calls, [REFUND, SEARCH]).invoke(QUESTION, THREAD)
    assert answer["messages"][-1].content == "done"
    found = {str(one["action_type"]): one for one in service.decisions(name)}
    assert found["refund"]["inputs"] == {"order": "A-1"}
    assert found["refund"]["outputs"] == {"result": "refunded A-1"}
    assert found["search"]["outputs"] == {"result": "found x"}
    metadata: Any = found["refund"]["metadata"]
    assert (metadata["tool_call_id"], metadata["confidence_source"]) == ("call_1", "fixed")


def test_records_a_call_that_raises(service: Service) -> None:
    name = new_agent()
    with recording(service, name) as calls, pytest.raises(OSError, match="bank"):
        agent_with(calls, [FLAKY]).invoke(QUESTION, THREAD)
    (found,) = service.decisions(name)
    assert found["outputs"] == {
        "status": "failed",
        "error": {"type": "OSError", "message": "the bank is closed"},
    }


class NoText(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text")


def test_an_error_without_a_text_stays_the_error_of_the_run(service: Service) -> None:
    @tool
    def broken() -> str:
        """Fails."""
        raise NoText

    name = new_agent()
    answers: list[BaseMessage] = [AIMessage("", tool_calls=[call("broken", "call_5")])]
    with recording(service, name) as calls, pytest.raises(NoText):
        middleware = [LedgerMiddleware(calls)]
        create_agent(ScriptedModel(responses=answers), [broken], middleware=middleware).invoke(QUESTION)
    (found,) = service.decisions(name)
    assert found["outputs"] == {"status": "failed", "error": {"type": "NoText", "message": "<NoText>"}}


def test_records_a_call_whose_error_another_middleware_answers(service: Service) -> None:
    name = new_agent()
    retries = ToolRetryMiddleware(max_retries=0, on_failure="continue")
    with recording(service, name) as calls:
        agent_with(calls, [FLAKY], retries).invoke(QUESTION, THREAD)
    (found,) = service.decisions(name)
    outputs: Any = found["outputs"]
    assert outputs["error"]["type"] == "ToolError"
    metadata: Any = found["metadata"]
    assert metadata["outcome"] == "failed"


@pytest.mark.parametrize("answer", ["approve", "reject"])
@pytest.mark.parametrize("mode", ["batched", "per_call"])
def test_an_approval_and_a_rejection_are_decisions_of_a_person(
    service: Service, answer: str, mode: Any
) -> None:
    name = new_agent()
    review = HumanInTheLoopMiddleware({"refund": True}, interrupt_mode=mode)
    with recording(service, name) as calls:
        agent = agent_with(calls, [REFUND, SEARCH], review, reviewed=["refund"])
        waiting = agent.invoke(QUESTION, THREAD)["__interrupt__"]
        decision: Any = {"type": answer} if mode == "per_call" else {"decisions": [{"type": answer}]}
        resume = {waiting[0].id: decision} if mode == "per_call" else decision
        agent.invoke(Command(resume=resume), THREAD)
    found = [one for one in service.decisions(name) if one["action_type"] == "refund"]
    assert [one["human_in_loop"] for one in found] == [True]
    outputs: Any = found[0]["outputs"]
    if answer == "approve":
        assert outputs == {"result": "refunded A-1"}
    else:
        assert outputs["approved"] is False and "rejected" in outputs["reason"]
    metadata: Any = found[0]["metadata"]
    assert metadata["outcome"] == ("done" if answer == "approve" else "denied")
    others = [one for one in service.decisions(name) if one["action_type"] == "search"]
    assert others and not any(one["human_in_loop"] for one in others)


@pytest.mark.parametrize("also", [[], ["handoff", "final_output"]])
def test_a_handoff_and_a_final_output_are_decisions_on_request(service: Service, also: Any) -> None:
    name = new_agent()

    @tool
    def transfer() -> Command[Any]:
        """Passes the work on."""
        answer = ToolMessage("passed on", tool_call_id="call_4")
        return Command(goto="billing", graph=Command.PARENT, update={"messages": [answer]})

    def agent(calls: ToolCalls, *answers: BaseMessage) -> Any:
        middleware = [LedgerMiddleware(calls)]
        return create_agent(ScriptedModel(responses=list(answers)), [transfer], middleware=middleware)

    with Ledger(service.url, service.test) as ledger:
        calls = ToolCalls(ledger, agent_id=name, confidence=fixed(0.8), also=also)
        graph = StateGraph(MessagesState)
        graph.add_node("desk", agent(calls, AIMessage("", tool_calls=[call("transfer", "call_4")])))
        graph.add_node("billing", agent(calls, AIMessage("done")))
        graph.add_edge(START, "desk")
        result: Any = asyncio.run(graph.compile().ainvoke(QUESTION))
        assert result["messages"][-1].content == "done"
    found = [(one["action_type"], one["outputs"]) for one in service.decisions(name)]
    handed = [("handoff", {"handed_to": ["billing"]}), ("final_output", {"result": "done"})]
    assert found == (handed if also else [])


async def run_once(calls: ToolCalls, way: str) -> Any:
    agent = agent_with(calls, [REFUND, SEARCH])
    if way == "stream":
        steps = [step async for step in agent.astream(QUESTION, THREAD, stream_mode="updates")]
        return sorted(key for step in steps for key in step)
    answer = agent.invoke(QUESTION, THREAD) if way == "sync" else await agent.ainvoke(QUESTION, THREAD)
    return [(message.type, message.content) for message in answer["messages"]]


@pytest.mark.parametrize("way", ["sync", "async", "stream"])
def test_the_state_of_the_ledger_changes_nothing(service: Service, way: str) -> None:
    outputs = []
    for state in STATES:
        with ledger_in(state, service) as ledger:
            calls = ToolCalls(ledger, agent_id=new_agent(), confidence=fixed(0.8))
            outputs.append(asyncio.run(run_once(calls, way)))
    assert outputs == [outputs[0]] * len(STATES)
