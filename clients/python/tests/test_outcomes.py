"""What each hook records of how a call ended, against the cases that every way of recording shares."""

import asyncio
import importlib
import json
from collections.abc import Callable
from typing import Any

import pytest

from decision_ledger.integrations.tool_calls import ToolCalls
from support.decisions import new_agent
from support.hooks import recording
from support.service import REPOSITORY, Service

CASES: list[dict[str, Any]] = json.loads((REPOSITORY / "vectors/outcomes.json").read_text())["cases"]


def cases_of(way: str) -> list[Any]:
    return [
        pytest.param(case["report"], form, id=case["name"])
        for case in CASES
        for form in case["recorded"]
        if way in form["ways"]
    ]


def perform(report: dict[str, Any]) -> Any:
    """What the tool does when it is called."""
    if "raised" in report:
        raise ValueError(report["raised"])
    return report["returned"]


def check(service: Service, form: dict[str, Any], run: Callable[[ToolCalls], None]) -> None:
    name = new_agent()
    with recording(service, name) as calls:
        run(calls)
    (found,) = service.decisions(name)
    metadata: Any = found["metadata"]
    assert (found["outputs"], metadata.get("outcome")) == (form["outputs"], form["stated"])


def needs(package: str) -> Any:
    return pytest.importorskip(package, reason=f"{package} is not installed", exc_type=ImportError)


@pytest.mark.parametrize(("report", "form"), cases_of("python-langchain"))
def test_langchain(service: Service, report: dict[str, Any], form: dict[str, Any]) -> None:
    needs("langchain")
    shared: Any = importlib.import_module("test_langchain")
    tools: Any = importlib.import_module("langchain_core.tools")

    def refund(order: str) -> Any:
        """Refunds an order."""
        return perform(report)

    def run(calls: ToolCalls) -> None:
        turns = [
            shared.AIMessage("", tool_calls=[shared.call("refund", "call_1", order="A-1")]),
            shared.AIMessage("done"),
        ]
        is_rejected = "rejected" in report
        review = [shared.HumanInTheLoopMiddleware({"refund": True})] if is_rejected else []
        agent = shared.create_agent(
            shared.ScriptedModel(responses=turns),
            [tools.tool(refund)],
            middleware=[shared.LedgerMiddleware(calls, ["refund"] if is_rejected else []), *review],
            checkpointer=shared.InMemorySaver(),
        )
        try:
            agent.invoke(shared.QUESTION, shared.THREAD)
        except ValueError:
            assert "raised" in report
        if is_rejected:
            answer = {"decisions": [{"type": "reject", "message": report["rejected"]}]}
            agent.invoke(shared.Command(resume=answer), shared.THREAD)

    check(service, form, run)


@pytest.mark.parametrize(("report", "form"), cases_of("python-openai-agents"))
def test_openai_agents(service: Service, report: dict[str, Any], form: dict[str, Any]) -> None:
    needs("agents")
    shared: Any = importlib.import_module("test_openai_agents")
    is_rejected = "rejected" in report

    def refund(order: str) -> Any:
        return perform(report)

    async def main(hooks: Any) -> None:
        model = shared.ScriptedModel(shared.call("refund", "call_1", order="A-1"))
        tool = shared.function_tool(refund, needs_approval=is_rejected)
        agent = shared.Agent("desk", model=model, tools=[tool])
        first = await shared.Runner.run(agent, "go", hooks=hooks, run_config=shared.QUIET)
        if is_rejected:
            state = first.to_state()
            (item,) = first.interruptions
            state.reject(item)
            hooks.rejected(item, report["rejected"])
            await shared.Runner.run(agent, state, hooks=hooks, run_config=shared.QUIET)

    check(service, form, lambda calls: asyncio.run(main(shared.LedgerHooks(calls))))


@pytest.mark.parametrize(("report", "form"), cases_of("python-pydantic-ai"))
def test_pydantic_ai(service: Service, report: dict[str, Any], form: dict[str, Any]) -> None:
    needs("pydantic_ai")
    shared: Any = importlib.import_module("test_pydantic_ai")
    toolsets: Any = importlib.import_module("pydantic_ai.toolsets")
    pydantic_ai: Any = importlib.import_module("pydantic_ai")
    is_rejected = "rejected" in report

    def refund(order: str) -> Any:
        """Refunds an order."""
        return perform(report)

    def run(calls: ToolCalls) -> None:
        toolset = toolsets.FunctionToolset()
        toolset.add_function(refund, requires_approval=is_rejected)
        call = shared.ToolCallPart("refund", {"order": "A-1"}, "call_1")
        agent = pydantic_ai.Agent(
            shared.scripted([call]),
            toolsets=[shared.LedgerToolset(toolset, calls)],
            output_type=[str, shared.DeferredToolRequests],
        )
        try:
            first = asyncio.run(agent.run("go"))
        except ValueError:
            assert "raised" in report
            return
        if is_rejected:
            denied = shared.ToolDenied(report["rejected"])
            results = first.output.build_results(approvals={"call_1": denied})
            shared.record_denials(calls, first.output, results)

    check(service, form, run)
