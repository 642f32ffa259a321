"""Decisions of tests."""

import uuid

from decision_ledger import Decision


def new_agent() -> str:
    """Names an agent whose decisions a test finds again."""
    return f"agent-{uuid.uuid4().hex[:12]}"


def decision(agent_id: str, n: int = 1) -> Decision:
    return {
        "agent_id": agent_id,
        "action_type": "refund",
        "inputs": {"n": n, "order": f"A-{n}"},
        "outputs": {"approved": True},
        "confidence": 0.9,
    }


def numbers(found: list[dict[str, object]]) -> list[int]:
    """What tells the decisions apart, in the order of the chain."""
    inputs = [one["inputs"] for one in found]
    return [int(one["n"]) for one in inputs if isinstance(one, dict)]
