from typing import Any

from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.instrumented import InstrumentationSettings

import shop


def scripted(order: str) -> FunctionModel:
    """Calls the tool in its first turn, and then answers with a text."""

    def turn(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        if len(messages) > 1:
            return ModelResponse(parts=[TextPart("done")])
        return ModelResponse(parts=[ToolCallPart("refund", {"order_id": order}, f"call-{order}")])

    return FunctionModel(turn)


def refund(order_id: str) -> dict[str, Any]:
    return shop.refund_order(order_id)


settings = InstrumentationSettings(tracer_provider=shop.provider())
Agent.instrument_all(settings)
for order in shop.ORDERS:
    try:
        Agent(scripted(order), name="refund-bot", tools=[refund]).run_sync(f"refund {order}")
    except OSError:
        continue
