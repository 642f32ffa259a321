"""Records the tool calls of pydantic-ai 2: `Agent(..., toolsets=[LedgerToolset(toolset, calls)])`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_ai import AgentRunResult, DeferredToolRequests, DeferredToolResults, RunContext, ToolDenied
from pydantic_ai.capabilities import Hooks
from pydantic_ai.exceptions import ApprovalRequired, CallDeferred
from pydantic_ai.tools import AgentDepsT
from pydantic_ai.toolsets import WrapperToolset
from pydantic_ai.toolsets.abstract import ToolsetTool

from decision_ledger.integrations.tool_calls import (
    Outcome,
    ToolCall,
    ToolCalls,
    failed,
    final_output,
    rejected,
    returned,
)


@dataclass
class LedgerToolset(WrapperToolset[AgentDepsT]):
    """Records each call of these tools, also one that raises. An approved call has `human_in_loop`."""

    calls: ToolCalls

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[AgentDepsT], tool: ToolsetTool[AgentDepsT]
    ) -> Any:
        try:
            result = await super().call_tool(name, tool_args, ctx, tool)
        except (ApprovalRequired, CallDeferred):
            raise  # nothing is decided yet
        except BaseException as error:
            self._record(name, tool_args, ctx, failed(error), "failed")
            raise
        self._record(name, tool_args, ctx, returned(result), "done")
        return result

    def _record(
        self,
        name: str,
        arguments: Mapping[str, Any],
        ctx: RunContext[AgentDepsT],
        outputs: Mapping[str, Any],
        outcome: Outcome,
    ) -> None:
        agent = None if ctx.agent is None else ctx.agent.name
        metadata = {} if ctx.run_id is None else {"run_id": ctx.run_id}
        is_approved = ctx.tool_call_approved
        self.calls.record(
            ToolCall(
                name, arguments, outputs, ctx.tool_call_id, agent, is_approved, metadata, outcome=outcome
            )
        )


def record_outputs(calls: ToolCalls) -> Hooks[Any]:
    """Records what a run ends with, if `also` of the calls asks for it: `Agent(..., capabilities=[...])`."""

    async def after_run(ctx: RunContext[Any], *, result: AgentRunResult[Any]) -> AgentRunResult[Any]:
        # A run that waits for a person, or for others, has not ended.
        if not isinstance(result.output, DeferredToolRequests):
            calls.record(final_output(None if ctx.agent is None else ctx.agent.name, result.output))
        return result

    return Hooks(after_run=after_run)


def record_denials(
    calls: ToolCalls, requests: DeferredToolRequests, results: DeferredToolResults, agent: str | None = None
) -> None:
    """Records what a person has denied. Call it with the results for the next run: no tool sees them."""
    for part in requests.approvals:
        answer = results.approvals.get(part.tool_call_id)
        if answer is False or isinstance(answer, ToolDenied):
            reason = answer.message if isinstance(answer, ToolDenied) else ToolDenied().message
            outputs = rejected(reason)
            # Older releases do not say who answered.
            who = getattr(results, "answered_by", {}).get(part.tool_call_id)
            metadata = {} if who is None else {"reviewer_id": who}
            call = ToolCall(
                part.tool_name,
                part.args_as_dict(),
                outputs,
                part.tool_call_id,
                agent,
                True,
                metadata,
                outcome="denied",
            )
            calls.record(call)
