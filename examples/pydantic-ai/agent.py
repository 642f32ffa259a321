"""A support agent whose refunds are on record: see the README beside it."""

import asyncio
import os
from typing import Any

from pydantic_ai import Agent, DeferredToolRequests, FunctionToolset, ToolDenied
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from decision_ledger import Ledger
from decision_ledger.integrations.pydantic_ai import LedgerToolset, record_denials
from decision_ledger.integrations.tool_calls import ToolCalls, from_argument

tools = FunctionToolset[None]()


@tools.tool_plain
def refund(order_id: str, amount: str, confidence: float) -> dict[str, str]:
    """Refunds an order. State from 0 to 1 how sure you are."""
    return {"order_id": order_id, "refunded": amount}


@tools.tool_plain(requires_approval=True)
def refund_in_full(order_id: str, amount: str, confidence: float) -> dict[str, str]:
    """Refunds an order of any price. A person approves it."""
    return {"order_id": order_id, "refunded": amount}


@tools.tool_plain
def answer_customer(text: str) -> str:
    """Writes to the customer."""
    return "sent"


CALLS = [
    ToolCallPart("refund", {"order_id": "A-1", "amount": "49.00", "confidence": 0.93}, "call_1"),
    ToolCallPart("refund", {"order_id": "A-2", "amount": "20.00", "confidence": 0.71}, "call_2"),
    ToolCallPart("refund_in_full", {"order_id": "A-3", "amount": "900.00", "confidence": 0.6}, "call_3"),
    ToolCallPart("answer_customer", {"text": "Your refunds are on their way."}, "call_4"),
]


def scripted(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Stands for the model of a provider."""
    is_first = not any(isinstance(message, ModelResponse) for message in messages)
    return ModelResponse(list(CALLS) if is_first else [TextPart("Done.")])


async def run(calls: ToolCalls) -> None:
    agent = Agent(
        FunctionModel(scripted),
        name="support-agent",
        toolsets=[LedgerToolset(tools, calls)],
        output_type=[str, DeferredToolRequests],
    )
    waiting = await agent.run("Orders A-1, A-2 and A-3 arrived broken.")
    if isinstance(waiting.output, DeferredToolRequests):
        denied = ToolDenied("ask for a photo first")
        answers = waiting.output.build_results(approvals={"call_3": denied})
        record_denials(calls, waiting.output, answers, agent="support-agent")
        await agent.run(message_history=waiting.all_messages(), deferred_tool_results=answers)


def report_loss(ledger: Ledger, order_id: str) -> None:
    """The bank takes the refund back, and a fee: what billing would report."""
    found = ledger.call("GET", "/decisions", query={"metadata.order_id": order_id})["decisions"]
    event = ledger.call(
        "POST",
        "/financial-events",
        body={
            "source": "billing",
            "event_type": "chargeback",
            "amount": "-64.00",
            "currency": "USD",
            "timestamp": found[0]["created_at"],
        },
    )
    ledger.call(
        "POST",
        "/links",
        body={
            "decision_id": found[0]["decision_id"],
            "financial_event_id": event["id"],
            "correlation_strength": 1,
            "link_type": "loss",
            "attribution_method": "direct",
        },
    )


def print_result(ledger: Ledger) -> None:
    chain = ledger.call("GET", "/decisions/chain/verify")
    validity = "valid" if chain["is_valid"] else "BROKEN"
    print(f"{chain['records_checked']} decisions, chain {validity}")
    decisions: list[dict[str, Any]] = ledger.call("GET", "/decisions")["decisions"]
    for one in sorted(decisions, key=lambda decision: int(decision["seq"])):
        person = ", decided by a person" if one["human_in_loop"] else ""
        order = one["inputs"]["order_id"]
        print(f"{one['action_type']} {order}, confidence {one['confidence']}{person}")
    figures = ledger.call("GET", "/analytics/ai-pnl")
    print(f"net impact: {figures['net_ai_impact']} {figures['currency']}")


def main() -> None:
    url = os.environ.get("LEDGER_URL", "http://127.0.0.1:8080")
    with Ledger(url, os.environ["LEDGER_KEY"], outbox="./outbox") as ledger:
        calls = ToolCalls(
            ledger,
            confidence=from_argument("confidence"),
            only=["refund", "refund_in_full"],
            metadata=lambda call: {"order_id": call.arguments["order_id"]},
        )
        asyncio.run(run(calls))
        ledger.flush()
        report_loss(ledger, "A-2")
        print_result(ledger)


if __name__ == "__main__":
    main()
