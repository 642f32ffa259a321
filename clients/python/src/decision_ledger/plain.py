"""Tells decisions that are JSON already: most are, and the json module writes those many times faster."""

from typing import Any

from decision_ledger.degrade import CHARACTERS, DEPTH, UNSTORABLE
from decision_ledger.forms import MAX_VALUES
from decision_ledger.json_text import MAX_SAFE
from decision_ledger.payload import OBJECTS

TEXTS = frozenset({str})
NUMBERS = frozenset({int, float})
CONTAINERS = frozenset({dict, list})
PLAIN = TEXTS | NUMBERS | CONTAINERS | {bool, type(None)}


def is_plain(decision: Any) -> bool:
    """Whether a decision has nothing but exact types of JSON, with values that the service can hold."""
    if type(decision) is not dict or not has_objects(decision):
        return False
    todo: list[tuple[Any, int]] = [(decision, 1)]
    left = MAX_VALUES
    while todo:
        container, depth = todo.pop()
        left -= len(container)
        is_object = type(container) is dict
        if left < 0 or depth > DEPTH or (is_object and not TEXTS.issuperset(map(type, container))):
            return False
        values = list(container.values()) if is_object else container
        kinds = set(map(type, values))
        if not kinds <= PLAIN or (kinds & NUMBERS and not all(map(is_held, values))):
            return False
        if kinds & CONTAINERS:
            todo += [(value, depth + 1) for value in values if type(value) in CONTAINERS]
    return True


def has_objects(decision: dict[Any, Any]) -> bool:
    alternatives = decision.get("alternatives", [])
    if type(alternatives) is not list or any(type(one) is not dict for one in alternatives):
        return False
    return all(type(decision.get(name, {})) is dict for name in OBJECTS)


def is_held(value: Any) -> bool:
    """Not a number is smaller than none."""
    return type(value) not in NUMBERS or -MAX_SAFE <= value <= MAX_SAFE


def is_plain_text(json: str) -> bool:
    """Whether the texts in a JSON text can be held, too."""
    if len(json) > CHARACTERS or "__proto__" in json or "\\u0000" in json:
        return False
    return json.isascii() or UNSTORABLE.search(json) is None
