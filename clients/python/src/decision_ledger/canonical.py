"""Canonical JSON (RFC 8785): no white space, keys in UTF-16 code unit order, numbers as in ECMAScript."""

import math
import re
from decimal import Decimal
from typing import Any

ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
ESCAPED = re.compile(r'["\\\x00-\x1f]')
#: Beyond it, a float does not hold every integer.
MAX_EXACT = 2**53


def canonical_json(value: Any) -> str:
    """
    The canonical text of a value; its UTF-8 bytes are hashed. Integers count as floats, as in JSON.

    Raises ValueError for what JSON cannot express exactly: NaN, infinities, lone surrogates, integers that
    no float holds, and cycles; TypeError for other types.
    """
    parts: list[str] = []
    # Texts to write, values to write, and containers that end: no recursion, so the depth is not limited.
    todo: list[tuple[str, Any]] = [("value", value)]
    open_containers: set[int] = set()
    while todo:
        step, item = todo.pop()
        if step == "text":
            parts.append(item)
        elif step == "end":
            open_containers.discard(item)
        elif isinstance(item, (dict, list, tuple)):
            if id(item) in open_containers:
                raise ValueError("JSON cannot express a value that contains itself")
            open_containers.add(id(item))
            todo.append(("end", id(item)))
            todo += reversed(steps_of(item))
        else:
            parts.append(scalar(item))
    text = "".join(parts)
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("JSON cannot express a lone surrogate") from None
    return text


def steps_of(item: Any) -> list[tuple[str, Any]]:
    steps: list[tuple[str, Any]] = []
    if isinstance(item, dict):
        for key in sorted(item, key=utf16):
            steps += [("text", f"{',' if steps else '{'}{quote(key)}:"), ("value", item[key])]
        return [*(steps or [("text", "{")]), ("text", "}")]
    for member in item:
        steps += [("text", "," if steps else "["), ("value", member)]
    return [*(steps or [("text", "[")]), ("text", "]")]


def utf16(key: Any) -> bytes:
    if not isinstance(key, str):
        raise TypeError("the keys of JSON are strings")
    return key.encode("utf-16-be", "surrogatepass")


def scalar(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, int):
        if abs(value) > MAX_EXACT and int(float(value)) != value:
            raise ValueError("JSON cannot express an integer that no float holds")
        return number(float(value))
    if isinstance(value, float):
        return number(value)
    raise TypeError(f"JSON cannot express {type(value).__name__}")


def quote(text: str) -> str:
    return '"' + ESCAPED.sub(lambda found: ESCAPES.get(found[0]) or f"\\u{ord(found[0]):04x}", text) + '"'


def number(value: float) -> str:
    """The text of a number as ECMAScript writes it; Python finds the same shortest digits."""
    if not math.isfinite(value):
        raise ValueError(f"JSON cannot express {value}")
    if value == 0:
        return "0"
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    text = "".join(map(str, digits))
    # Where the point stands, counted from the first digit.
    point = len(text) + int(exponent)
    if 0 < point <= 21:
        shown = text.ljust(point, "0") if point >= len(text) else f"{text[:point]}.{text[point:]}"
    elif -6 < point <= 0:
        shown = f"0.{'0' * -point}{text}"
    else:
        fraction = f".{text[1:]}" if len(text) > 1 else ""
        shown = f"{text[0]}{fraction}e{'+' if point > 0 else '-'}{abs(point - 1)}"
    return f"-{shown}" if sign else shown
