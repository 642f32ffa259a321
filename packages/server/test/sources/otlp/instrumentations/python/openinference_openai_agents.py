import json
from collections.abc import AsyncIterator
from typing import Any

from agents import Agent, Model, ModelResponse, Runner, Usage, function_tool, set_trace_processors
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)
from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor

import shop


class ScriptedModel(Model):
    """Calls the tool in its first turn, and then answers with a text."""

    def __init__(self, order: str) -> None:
        call = ResponseFunctionToolCall(
            arguments=json.dumps({"order_id": order}),
            call_id=f"call-{order}",
            name="refund",
            type="function_call",
        )
        text = ResponseOutputText(annotations=[], text="done", type="output_text")
        message = ResponseOutputMessage(
            id="msg_1", content=[text], role="assistant", status="completed", type="message"
        )
        self._turns: list[list[Any]] = [[call], [message]]

    async def get_response(self, *_: Any, **__: Any) -> ModelResponse:
        return ModelResponse(output=self._turns.pop(0), usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> AsyncIterator[Any]:
        raise NotImplementedError


@function_tool(failure_error_function=None)
def refund(order_id: str) -> dict[str, Any]:
    return shop.refund_order(order_id)


# Nothing goes to the tracing of the model's vendor.
set_trace_processors([])
OpenAIAgentsInstrumentor().instrument(tracer_provider=shop.provider())
for order in shop.ORDERS:
    agent = Agent(name="refund-bot", model=ScriptedModel(order), tools=[refund])
    try:
        Runner.run_sync(agent, f"refund {order}")
    except Exception as error:
        if "the bank is closed" not in str(error):
            raise
