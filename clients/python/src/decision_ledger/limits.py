"""Limits of the API and of this client. Bytes are UTF-8, times are in seconds."""

from typing import Final

#: Decisions in a batch.
BATCH_DECISIONS: Final = 100
#: The service accepts 8 MiB; the rest is for the body around the decisions.
BATCH_BYTES: Final = 7 * 1024 * 1024
#: Of a field of a decision. Larger inputs and outputs are uploaded.
FIELD_BYTES: Final = 256 * 1024
#: Of a member of metadata that is too large as a whole. Larger ones are left out.
METADATA_MEMBER_BYTES: Final = 8 * 1024
#: Of a value that is left out.
HEAD_BYTES: Final = 8 * 1024
#: The longest time that a decision waits for others.
LINGER: Final = 1.0
REQUEST: Final = 30.0
FLUSH: Final = 30.0
CLOSE: Final = 10.0
#: Decisions and bytes that wait in memory. Beyond them: the outbox, or else loss.
QUEUE_DECISIONS: Final = 10_000
QUEUE_BYTES: Final = 32 * 1024 * 1024
OUTBOX_BYTES: Final = 10 * 1024**3
FIRST_RETRY: Final = 0.25
MAX_RETRY: Final = 30.0
#: The longest `Retry-After` that is obeyed.
MAX_RETRY_AFTER: Final = 300.0
#: Attempts of a call that waits for its answer.
CALL_ATTEMPTS: Final = 4
#: Of an answer, so that no service can fill the memory.
ANSWER_BYTES: Final = 64 * 1024 * 1024
