"""Records the tool calls of the OpenAI Agents SDK: `Runner.run(..., hooks=LedgerHooks(calls))`."""

from collections.abc import Mapping
from typing import Any

from agents import (
    Agent,
    InputGuardrailTripwireTriggered,
    OutputGuardrailTripwireTriggered,
    RunContextWrapper,
    RunHooks,
    Tool,
    ToolInputGuardrailTripwireTriggered,
    ToolOutputGuardrailTripwireTriggered,
)
from agents.items import ToolApprovalItem
from agents.tool_context import ToolContext

from decision_ledger.integrations.tool_calls import (
    Outcome,
    ToolCall,
    ToolCalls,
    final_output,
    handoff,
    rejected,
    returned,
)
from decision_ledger.json_text import read_json_text

#: What the SDK hands to the model in place of an error, unless the tool has a `failure_error_function`.
DEFAULT_ERROR = "An error occurred while running the tool."


class LedgerHooks(RunHooks[Any]):
    """
    Records each tool call that ends. A tool that failed differs from one that returned a text only by that
    text, and the SDK calls no hook if `failure_error_function` of the tool is None.
    """

    def __init__(self, calls: ToolCalls) -> None:
        super().__init__()
        self._calls = calls

    async def on_tool_end(
        self, context: RunContextWrapper[Any], agent: Agent[Any], tool: Tool, result: object
    ) -> None:
        try:
            self._calls.record(call_of(context, agent.name, tool, result))
        except Exception:  # a fault of this integration must not reach the agent
            pass

    async def on_handoff(
        self, context: RunContextWrapper[Any], from_agent: Agent[Any], to_agent: Agent[Any]
    ) -> None:
        self._calls.record(handoff(from_agent.name, [to_agent.name]))

    async def on_agent_end(self, context: Any, agent: Agent[Any], output: object) -> None:
        self._calls.record(final_output(agent.name, output))

    def stopped(self, error: BaseException) -> None:
        """Records a guardrail that stopped a run, by the error of the run: no hook sees it."""
        try:
            call = stop_of(error)
        except Exception:  # a fault of this integration must not reach the agent
            return
        if call is not None:
            self._calls.record(call)

    def rejected(self, item: ToolApprovalItem, reason: str = "rejected") -> None:
        """Records what a person has rejected. Call it beside `state.reject(item)`: no hook sees it."""
        arguments = arguments_of(getattr(item.raw_item, "arguments", None))
        call_id = getattr(item.raw_item, "call_id", None)
        name = item.tool_name or item.type
        outputs = rejected(reason)
        self._calls.record(
            ToolCall(name, arguments, outputs, call_id, item.agent.name, True, outcome="denied")
        )


def stop_of(error: BaseException) -> ToolCall | None:
    """The guardrail that stopped a run; None if it ended otherwise."""
    details = getattr(error, "run_data", None)
    agent = None if details is None else details.last_agent.name
    if isinstance(error, (InputGuardrailTripwireTriggered, OutputGuardrailTripwireTriggered)):
        result = error.guardrail_result
        checked = "input" if isinstance(error, InputGuardrailTripwireTriggered) else "output"
        return stop(agent, result.guardrail.get_name(), checked, result.output.output_info)
    if isinstance(error, (ToolInputGuardrailTripwireTriggered, ToolOutputGuardrailTripwireTriggered)):
        checked = "tool_input" if isinstance(error, ToolInputGuardrailTripwireTriggered) else "tool_output"
        return stop(agent, error.guardrail.get_name(), checked, error.output.output_info)
    return None


def stop(agent: str | None, name: str, checked: str, info: object) -> ToolCall:
    inputs = {"guardrail": name, "checked": checked}
    outputs = {"stopped": True, "info": info}
    return ToolCall("guardrail", inputs, outputs, agent=agent, kind="guardrail", outcome="denied")


def call_of(context: RunContextWrapper[Any], agent: str, tool: Tool, result: object) -> ToolCall:
    outputs = returned(result)
    has_failed = isinstance(result, str) and result.startswith(DEFAULT_ERROR)
    outcome: Outcome = "failed" if has_failed else "done"
    if not isinstance(context, ToolContext):
        return ToolCall(tool.name, {}, outputs, agent=agent, outcome=outcome)
    is_approved = context.is_tool_approved(context.tool_name, context.tool_call_id) is True
    arguments = arguments_of(context.tool_arguments)
    name, call_id = context.tool_name, context.tool_call_id
    return ToolCall(name, arguments, outputs, call_id, agent, is_approved, outcome=outcome)


def arguments_of(text: object) -> Mapping[str, Any]:
    """The arguments as the model wrote them; a text that is no object stands under `arguments`."""
    value = read_json_text(text) if isinstance(text, str) else None
    return value if isinstance(value, dict) else {"arguments": text}
