"""Makes decisions fit into requests: inputs and outputs that are too large for one are uploaded before."""

import hashlib
import json
from collections.abc import Callable
from typing import Any

from decision_ledger import limits
from decision_ledger.encode import dumps
from decision_ledger.errors import LedgerApiError
from decision_ledger.http import Request

UPLOADED = ("inputs", "outputs")
#: Why nothing can be uploaded, now or later: then digest and head are recorded.
CANNOT_HOLD = frozenset({"payload_too_large", "forbidden", "validation_error"})
#: An upload that expired, whose key has served for another one, or whose bytes were damaged.
GONE = frozenset({"not_found", "idempotency_conflict", "validation_error"})
MAX_PATHS = 32
HTTP_TOO_LARGE = 413

Send = Callable[[Request], Any]


def fit(text: bytes, send: Send, key: str | None = None, *, is_renewed: bool = False) -> bytes:
    """
    A decision as it is sent. After an interruption, the same call continues what was uploaded, in any
    process, unless what an earlier call uploaded is gone (`is_renewed`). The key is that of the decision, if
    it is not among its members. Raises what `send` raises.
    """
    if len(text) <= limits.FIELD_BYTES:
        return text
    decision: dict[str, Any] = json.loads(text)
    left: list[str] = []
    for field in UPLOADED:
        large = too_large(decision.get(field), limits.FIELD_BYTES)
        if large is None:
            continue
        name = None if is_renewed else f"{key or decision.get('idempotency_key')}:{field}"
        upload = upload_or_none(large, name, send)
        if upload is None:
            left.append(f"/{field}")
        decision[field] = omitted(large) if upload is None else {"$upload": upload}
    omit_others(decision, left)
    mark_omitted(decision, left)
    return dumps(decision).encode()


def too_large(value: object, limit: int) -> bytes | None:
    """The bytes of a value, if they are too many."""
    if value is None:
        return None
    text = dumps(value).encode()
    return text if len(text) > limit else None


def upload_or_none(content: bytes, name: str | None, send: Send) -> str | None:
    """The id of an upload, which is continued if it has a name; None if the service cannot hold it."""
    key = None if name is None else hashlib.sha256(name.encode()).hexdigest()
    try:
        return upload(content, key, send)
    except LedgerApiError as error:
        if name is not None and error.code in GONE:
            return upload_or_none(content, None, send)
        # Proxies limit the size of bodies with an answer of their own.
        if error.status != HTTP_TOO_LARGE and error.code not in CANNOT_HOLD:
            raise
        return None


def upload(content: bytes, key: str | None, send: Send) -> str:
    digest = hashlib.sha256(content).hexdigest()
    body = {"size": len(content), "sha256": digest, "media_type": "application/json"}
    state = send(Request("POST", "/uploads", dumps(body).encode(), idempotency_key=key))
    path = f"/uploads/{state['upload_id']}"
    while not state["is_complete"]:
        offset = state["offset"]
        chunk = content[offset : offset + state["chunk_bytes"]]
        request = Request("PATCH", path, chunk, {"offset": offset}, content_type="application/octet-stream")
        try:
            state = send(request)
        except LedgerApiError as error:
            state = send(Request("GET", path))
            if error.code != "conflict" or state["offset"] == offset:
                raise
    return str(state["upload_id"])


def omitted(content: bytes) -> dict[str, Any]:
    """Stands for a value that is too large even for an upload."""
    head = content[: limits.HEAD_BYTES].decode(errors="ignore")
    digest = hashlib.sha256(content).hexdigest()
    return {"$degraded": "too_large", "sha256": digest, "size": len(content), "head": head}


def omit_others(decision: dict[str, Any], left: list[str]) -> None:
    """Alternatives, and members of the metadata, cannot be uploaded."""
    alternatives = too_large(decision.get("alternatives"), limits.FIELD_BYTES)
    if alternatives is not None:
        left.append("/alternatives/0")
        decision["alternatives"] = [omitted(alternatives)]
    metadata = decision.get("metadata")
    if not isinstance(metadata, dict) or too_large(metadata, limits.FIELD_BYTES) is None:
        return
    for name, value in metadata.items():
        large = too_large(value, limits.METADATA_MEMBER_BYTES)
        if large is not None:
            left.append("/metadata/" + name.replace("~", "~0").replace("/", "~1"))
            metadata[name] = omitted(large)


def mark_omitted(decision: dict[str, Any], paths: list[str]) -> None:
    """Adds paths of omitted values to those that the metadata marks."""
    metadata = decision.get("metadata") or {}
    marked = metadata.get("degraded")
    known: list[str] = marked if isinstance(marked, list) else []
    added = [path for path in paths if path not in known]
    if not added:
        return
    counted = metadata.get("degraded_count")
    count = (counted if isinstance(counted, int) else len(known)) + len(added)
    listed = sorted([*known, *added])[:MAX_PATHS]
    told = {"degraded": listed, **({} if count == len(listed) else {"degraded_count": count})}
    decision["metadata"] = {**metadata, **told}
