"""A decision as the service can hold it."""

from collections.abc import Mapping
from typing import Any

from decision_ledger.degrade import degrade
from decision_ledger.marks import Marks

#: The fields of a decision that must be objects.
OBJECTS = ("inputs", "outputs", "metadata")


def copy_payload(decision: Mapping[str, Any]) -> tuple[dict[str, Any], Marks]:
    """
    Copies a decision. What stands in the place of an object, such as a list, is kept under `value`. Raises
    TypeError if it is no mapping.
    """
    copy, marks = degrade(decision)
    if not isinstance(copy, dict):
        raise TypeError("a decision is a mapping with agent_id, action_type and so on")
    for name in OBJECTS:
        if name in copy:
            copy[name] = as_object(copy[name], f"/{name}", marks)
    if "alternatives" in copy:
        copy["alternatives"] = as_objects(copy["alternatives"], "/alternatives", marks)
    return copy, marks


def as_objects(value: Any, path: str, marks: Marks) -> list[Any]:
    if isinstance(value, list):
        return [as_object(one, f"{path}/{index}", marks) for index, one in enumerate(value)]
    marks.move(path, f"{path}/0")
    marks.add(path.split("/")[1:])
    return [as_object(value, f"{path}/0", marks)]


def as_object(value: Any, path: str, marks: Marks) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    marks.move(path, f"{path}/value")
    marks.add(path.split("/")[1:])
    return {"value": value}


def with_marks(decision: dict[str, Any], marks: Marks) -> dict[str, Any]:
    """With the marks in the metadata. What stood there under their names stands in brackets."""
    told = marks.metadata
    if not told:
        return decision
    own = {
        f"[{name}]" if name in told else name: value for name, value in decision.get("metadata", {}).items()
    }
    return {**decision, "metadata": {**own, **told}}


def is_at(value: Any, names: list[str]) -> bool:
    """Whether a value stands at a path."""
    for name in names:
        if isinstance(value, list):
            if not name.isdigit() or int(name) >= len(value):
                return False
            value = value[int(name)]
        elif isinstance(value, dict) and name in value:
            value = value[name]
        else:
            return False
    return True
