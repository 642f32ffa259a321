"""The agent of LangChain that calls a tool for each order, with a scripted model."""

from collections.abc import Sequence
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import FakeMessagesListChatModel
from langchain_core.messages import AIMessage
from langchain_core.tools import tool

from shop import ORDERS, refund_order


class ScriptedModel(FakeMessagesListChatModel):
    """Answers in turn, whatever tools it is offered."""

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> Any:
        return self


@tool
def refund(order_id: str) -> dict[str, Any]:
    """Refunds an order."""
    return refund_order(order_id)


def run() -> None:
    for order in ORDERS:
        call = {"name": "refund", "args": {"order_id": order}, "id": f"call-{order}"}
        usage = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
        turns = [AIMessage("", tool_calls=[call], usage_metadata=usage), AIMessage("done")]
        agent = create_agent(ScriptedModel(responses=turns), [refund], name="refund-bot")
        try:
            agent.invoke({"messages": [{"role": "user", "content": f"refund {order}"}]})
        except OSError:
            continue
