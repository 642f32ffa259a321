"""JSON texts that frameworks hand on as texts."""

import json
import re
from dataclasses import dataclass
from typing import Any

#: Longer texts stay texts: reading them would hold up the agent.
MAX_CHARS = 1024 * 1024
MAX_SAFE = 2**53 - 1
MAX_DIGITS = 17
MAY_BE_WHOLE = re.compile(r"\s*[\[{]")


@dataclass(frozen=True)
class NumberText:
    """A number that a 64-bit float would change."""

    text: str


@dataclass(frozen=True)
class Pairs:
    """An object in which a key is repeated."""

    entries: list[tuple[str, Any]]


def read_json_text(text: str) -> Any:
    """
    Reads a text that is a whole JSON object or list as what it is. This is the one rule for results and
    arguments that frameworks hand on as text. Any other text is returned as it is.
    """
    if len(text) > MAX_CHARS or not MAY_BE_WHOLE.match(text):
        return text
    try:
        return json.loads(
            text,
            parse_int=number,
            parse_float=number,
            parse_constant=refuse,
            object_pairs_hook=members,
        )
    except (ValueError, RecursionError):
        return text


def number(token: str) -> Any:
    """As the service checks numbers."""
    value = float(token)
    digits = re.sub("[-.]", "", re.split("[eE]", token)[0]).strip("0")
    if abs(value) > MAX_SAFE or len(digits) > MAX_DIGITS or (value == 0 and digits):
        return NumberText(token)
    return int(token) if token.lstrip("-").isdigit() else value


def refuse(name: str) -> None:
    """NaN and the infinities are no JSON."""
    raise ValueError(name)


def members(entries: list[tuple[str, Any]]) -> Any:
    found = dict(entries)
    return found if len(found) == len(entries) else Pairs(entries)
