"""Records the tool calls of LangChain 1: `create_agent(..., middleware=[LedgerMiddleware(calls)])`."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any

from langchain.agents.middleware import AgentMiddleware, AgentState
from langchain.agents.middleware.types import ToolCallRequest
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.errors import GraphBubbleUp
from langgraph.runtime import Runtime
from langgraph.types import Command, Send

from decision_ledger.integrations.tool_calls import (
    Outcome,
    ToolCall,
    ToolCalls,
    failed,
    failure,
    final_output,
    handoff,
    rejected,
    returned,
)

#: How `HumanInTheLoopMiddleware` begins the message of a call that a person rejected.
REJECTION = "User rejected the tool call for `{}`"


class LedgerMiddleware(AgentMiddleware):
    """
    Records each tool call, also one that raises.

    `reviewed` names the tools that a person approves, as in `interrupt_on` of `HumanInTheLoopMiddleware`:
    their calls have `human_in_loop`, and rejections are recorded. List it before that middleware.
    """

    def __init__(self, calls: ToolCalls, reviewed: Collection[str] = ()) -> None:
        super().__init__()
        self._calls = calls
        self._reviewed = reviewed

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], ToolMessage | Command[Any]]
    ) -> ToolMessage | Command[Any]:
        try:
            result = handler(request)
        except GraphBubbleUp:
            raise  # the graph waits for a person, or goes on elsewhere
        except BaseException as error:
            self._record(request.tool_call, failed(error), "failed")
            raise
        self._record_result(request.tool_call, result)
        return result

    async def awrap_tool_call(
        self,
        request: ToolCallRequest,
        handler: Callable[[ToolCallRequest], Awaitable[ToolMessage | Command[Any]]],
    ) -> ToolMessage | Command[Any]:
        try:
            result = await handler(request)
        except GraphBubbleUp:
            raise  # the graph waits for a person, or goes on elsewhere
        except BaseException as error:
            self._record(request.tool_call, failed(error), "failed")
            raise
        self._record_result(request.tool_call, result)
        return result

    def before_model(self, state: AgentState[Any], runtime: Runtime[Any]) -> dict[str, Any] | None:
        """A call that a person rejected runs no tool: the answer to it stands in the messages alone."""
        try:
            self._record_rejections(state["messages"])
        except Exception:  # a fault of this integration must not reach the agent
            pass
        return None

    async def abefore_model(self, state: AgentState[Any], runtime: Runtime[Any]) -> dict[str, Any] | None:
        return self.before_model(state, runtime)

    def after_agent(self, state: AgentState[Any], runtime: Runtime[Any]) -> dict[str, Any] | None:
        try:
            last = state["messages"][-1]
            if isinstance(last, AIMessage):
                self._calls.record(final_output(None, last.content))
        except Exception:  # a fault of this integration must not reach the agent
            pass
        return None

    async def aafter_agent(self, state: AgentState[Any], runtime: Runtime[Any]) -> dict[str, Any] | None:
        return self.after_agent(state, runtime)

    def _record_rejections(self, messages: list[Any]) -> None:
        answers: list[ToolMessage] = []
        for message in reversed(messages):
            if isinstance(message, AIMessage):
                calls = {call["id"]: call for call in message.tool_calls}
                for answer in reversed(answers):
                    self._record_rejection(calls.get(answer.tool_call_id), answer)
                return
            if not isinstance(message, ToolMessage):
                return
            answers.append(message)

    def _record_rejection(self, call: Mapping[str, Any] | None, answer: ToolMessage) -> None:
        if call is not None and self._is_rejection(call["name"], answer):
            self._record(call, rejected(answer.text), "denied")

    def _is_rejection(self, name: str, answer: object) -> bool:
        if name not in self._reviewed or not isinstance(answer, ToolMessage) or answer.status != "error":
            return False
        return answer.text.startswith(REJECTION.format(name))

    def _record_result(self, call: Mapping[str, Any], result: ToolMessage | Command[Any]) -> None:
        # A rejection is recorded before the next turn of the model, however it came about.
        if self._is_rejection(call["name"], result):
            return
        targets = targets_of(result)
        if targets:
            self._calls.record(handoff(None, targets, call["id"]))
        else:
            is_error = isinstance(result, ToolMessage) and result.status == "error"
            self._record(call, outputs_of(result), "failed" if is_error else "done")

    def _record(self, call: Mapping[str, Any], outputs: Mapping[str, Any], outcome: Outcome) -> None:
        name = str(call["name"])
        is_reviewed = name in self._reviewed
        self._calls.record(
            ToolCall(name, call["args"], outputs, call["id"], human_in_loop=is_reviewed, outcome=outcome)
        )


def targets_of(result: ToolMessage | Command[Any]) -> list[str]:
    """Where a command leads: it hands the work to other nodes."""
    goto = result.goto if isinstance(result, Command) else ()
    targets = [goto] if isinstance(goto, (str, Send)) else goto
    return [target if isinstance(target, str) else target.node for target in targets]


def outputs_of(result: ToolMessage | Command[Any]) -> dict[str, Any]:
    if not isinstance(result, ToolMessage):
        return returned(result.update)
    if result.status == "error":
        return failure("ToolError", result.text)
    return returned(result.content)
