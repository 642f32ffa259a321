"""Turns the tool calls of agent frameworks into decisions."""

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from decision_ledger.aio import AsyncLedger
from decision_ledger.json_text import read_json_text
from decision_ledger.ledger import Ledger

log = logging.getLogger("decision_ledger")

#: What an agent does besides calling tools: each is a decision on request alone.
OnRequest = Literal["handoff", "final_output", "guardrail"]

#: How a call ended, as far as the framework knows. What a call that is done returned may say otherwise.
Outcome = Literal["done", "failed", "denied"]

MISSING = (
    "decision-ledger: the tool call %r has no confidence and is not recorded. Nothing invents one: give "
    "confidence=fixed(0.8), from_argument('confidence') or a function of the call"
)


@dataclass(frozen=True)
class ToolCall:
    """A call that has ended, or that a person has rejected."""

    name: str
    arguments: Mapping[str, Any]
    #: What the tool returned; `error` describes an exception, `approved` a rejection.
    outputs: Mapping[str, Any]
    call_id: str | None = None
    #: The name that the framework gives the agent.
    agent: str | None = None
    #: Whether a person approved or rejected it.
    human_in_loop: bool = False
    metadata: Mapping[str, Any] = field(default_factory=dict)
    kind: Literal["tool"] | OnRequest = "tool"
    #: What the framework says of its end; without it, the outputs alone tell.
    outcome: Outcome | None = None


@dataclass(frozen=True)
class Scored:
    """A confidence from 0 to 1, and where it is from."""

    value: float
    source: str


#: Gives the confidence of a call, or None if it has none. A plain number has the source `callback`.
Confidence = Callable[[ToolCall], "Scored | float | None"]


def fixed(value: float) -> Confidence:
    """
    The same number for every call. It says nothing about a single decision: the service estimates its
    exposure as if it had no confidence.
    """
    if not 0 <= value <= 1:
        raise ValueError("a confidence is a number from 0 to 1")
    return lambda call: Scored(value, "fixed")


def from_argument(name: str) -> Confidence:
    """A number from 0 to 1 that the model states as an argument of the call."""

    def read(call: ToolCall) -> Scored | None:
        value = call.arguments.get(name)
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return Scored(float(value), "argument") if is_number and value is not None else None

    return read


class ToolCalls:
    """
    Records tool calls. It never raises, and takes as long as `Ledger.record`. Without a ledger, it records
    nothing.
    """

    def __init__(
        self,
        ledger: Ledger | AsyncLedger | None,
        *,
        agent_id: str | None = None,
        confidence: Confidence | None = None,
        only: Collection[str] | None = None,
        also: Collection[OnRequest] = (),
        metadata: Callable[[ToolCall], Mapping[str, Any]] | None = None,
    ) -> None:
        """
        `only` names the tools whose calls are decisions: those with side effects. Default: all. `also` names
        what else is a decision. `agent_id` replaces the name that the framework gives the agent. `metadata`
        adds what attribution looks for, such as the id of an order.
        """
        self._ledger = ledger
        self._agent_id = agent_id
        self._confidence = confidence
        self._only = only
        self._also = frozenset(also)
        self._metadata = metadata
        self._logged: set[str] = set()

    def record(self, call: ToolCall) -> None:
        """Records a call if it is a decision."""
        if self._ledger is None or not self._is_decision(call):
            return
        try:
            self._record(self._ledger, call)
        except Exception:  # a fault of this integration must not reach the agent
            self._log_once("fault", "decision-ledger: a tool call was not recorded", exc_info=True)

    def _is_decision(self, call: ToolCall) -> bool:
        if call.kind != "tool":
            return call.kind in self._also
        return self._only is None or call.name in self._only

    def _record(self, ledger: Ledger | AsyncLedger, call: ToolCall) -> None:
        scored = self._confidence(call) if self._confidence is not None else None
        if scored is None:
            self._log_once("confidence", MISSING, call.name)
            return
        if not isinstance(scored, Scored):
            scored = Scored(scored, "callback")
        agent_id = self._agent_id or call.agent
        if agent_id is None:
            self._log_once("agent", "decision-ledger: a tool call has no agent: give agent_id='name'")
            return
        ledger.record(
            {
                "agent_id": agent_id,
                "action_type": call.name,
                "inputs": call.arguments,
                "outputs": call.outputs,
                "confidence": scored.value,
                "human_in_loop": call.human_in_loop,
                "metadata": self._metadata_of(call, scored),
            }
        )

    def _metadata_of(self, call: ToolCall, scored: Scored) -> dict[str, Any]:
        added = {} if self._metadata is None else dict(self._metadata(call))
        identified = {} if call.call_id is None else {"tool_call_id": call.call_id}
        stated = {} if call.outcome is None else {"outcome": call.outcome}
        return {**stated, **call.metadata, **added, **identified, "confidence_source": scored.source}

    def _log_once(self, kind: str, message: str, *values: object, exc_info: bool = False) -> None:
        if kind not in self._logged:
            self._logged.add(kind)
            log.warning(message, *values, exc_info=exc_info)


def returned(result: object) -> dict[str, Any]:
    """The outputs of a call: a JSON text is what it says; anything but an object is a `result`."""
    read = read_json_text(result) if isinstance(result, str) else result
    return read if isinstance(read, dict) else {"result": read}


def handoff(agent: str | None, targets: Sequence[str], call_id: str | None = None) -> ToolCall:
    """An agent passes the work to others."""
    return ToolCall("handoff", {}, {"handed_to": list(targets)}, call_id, agent, kind="handoff")


def final_output(agent: str | None, output: object) -> ToolCall:
    """What a run ends with."""
    return ToolCall("final_output", {}, returned(output), agent=agent, kind="final_output")


def failed(error: BaseException) -> dict[str, Any]:
    """The outputs of a call that raised."""
    return failure(type(error).__name__, text_of(error))


def failure(kind: str, message: str) -> dict[str, Any]:
    return {"status": "failed", "error": {"type": kind, "message": message}}


def rejected(reason: str) -> dict[str, Any]:
    """The outputs of a call that a person rejected."""
    return {"approved": False, "reason": reason}


def text_of(value: object) -> str:
    """What a tool returns or raises may have no text."""
    try:
        return str(value)
    except Exception:
        return f"<{type(value).__name__}>"
