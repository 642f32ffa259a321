"""Checks records and receipts of a ledger: entries, hashes and commitments."""

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from decision_ledger.canonical import canonical_json, quote

DECISION_TYPE = "decision-ledger/decision/v1"
ACTIVITY_TYPE = "decision-ledger/activity/v1"
GENESIS_TYPE = "decision-ledger/genesis/v1"

SALT = re.compile(r"[A-Za-z0-9_-]{22}")


def entry_text(kind: str, fields: Mapping[str, Any]) -> str:
    """The canonical text of an entry of the type `kind`."""
    return canonical_json({"_type": kind, **fields})


def entry_hash(text: str) -> str:
    """The hash of an entry, which is its leaf hash of RFC 9162: 64 hexadecimal characters."""
    return hashlib.sha256(b"\0" + text.encode()).hexdigest()


def disclosure_text(salt: str, name: str, value: Any) -> str:
    """The disclosure of one field (RFC 9901 section 4.2.1)."""
    if SALT.fullmatch(salt) is None:
        raise ValueError("a salt is 22 base64url characters")
    return f'["{salt}",{quote(name)},{canonical_json(value)}]'


def commitment_of(disclosure: str) -> str:
    """The digest of a field in an entry (RFC 9901 section 4.2.3): 43 base64url characters."""
    return base64url(hashlib.sha256(base64url(disclosure.encode()).encode()).digest())


def read_disclosure(disclosure: str, name: str) -> tuple[str, Any]:
    """The salt and the value of a disclosure. Raises ValueError if it is not one of that field."""
    value = json.loads(disclosure)
    if not isinstance(value, list) or len(value) != 3 or value[1] != name:
        raise ValueError(f"the text is not a disclosure of the field {name}")
    salt, _, content = value
    if not isinstance(salt, str) or disclosure_text(salt, name, content) != disclosure:
        raise ValueError(f"the text is not a disclosure of the field {name}")
    return salt, content


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
