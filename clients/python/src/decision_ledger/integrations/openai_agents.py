"""Records the tool calls of the OpenAI Agents SDK: `Runner.run(..., hooks=LedgerHooks(calls))`."""

import json
from collections.abc import Mapping
from typing import Any

from agents import Agent, RunContextWrapper, RunHooks, Tool
from agents.items import ToolApprovalItem
from agents.tool_context import ToolContext

from decision_ledger.integrations.tool_calls import ToolCall, ToolCalls, rejected, returned


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

    def rejected(self, item: ToolApprovalItem, reason: str = "rejected") -> None:
        """Records what a person has rejected. Call it beside `state.reject(item)`: no hook sees it."""
        arguments = arguments_of(getattr(item.raw_item, "arguments", None))
        call_id = getattr(item.raw_item, "call_id", None)
        name = item.tool_name or item.type
        self._calls.record(ToolCall(name, arguments, rejected(reason), call_id, item.agent.name, True))


def call_of(context: RunContextWrapper[Any], agent: str, tool: Tool, result: object) -> ToolCall:
    outputs = returned(result)
    if not isinstance(context, ToolContext):
        return ToolCall(tool.name, {}, outputs, agent=agent)
    is_approved = context.is_tool_approved(context.tool_name, context.tool_call_id) is True
    arguments = arguments_of(context.tool_arguments)
    return ToolCall(context.tool_name, arguments, outputs, context.tool_call_id, agent, is_approved)


def arguments_of(text: object) -> Mapping[str, Any]:
    """The arguments as the model wrote them; a text that is no object stands under `arguments`."""
    try:
        value = json.loads(text) if isinstance(text, str) else None
    except ValueError:
        value = None
    return value if isinstance(value, dict) else {"arguments": text}
