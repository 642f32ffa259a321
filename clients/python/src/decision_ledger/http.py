"""Sends requests to the API, and turns failures into typed errors."""

# The first look-up of a host imports this module. A child that is forked while a thread imports it has a
# half-made module for ever, and cannot look up any host.
import encodings.idna  # noqa: F401
import http.client
import json
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

from decision_ledger import limits
from decision_ledger.errors import LedgerApiError, LedgerConnectionError
from decision_ledger.retry import is_far_off, is_transient, parse_retry_after, retry_delay

#: The API key or a session token, or a function that returns it for each request.
Key = str | Callable[[], str]

#: What a connection raises that the service has closed while it was idle.
STALE = (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError)


@dataclass(frozen=True)
class Request:
    method: str
    #: Below `/api/v1`, such as `/decisions`.
    path: str
    body: bytes | None = None
    query: Mapping[str, Any] = field(default_factory=dict)
    idempotency_key: str | None = None
    #: What the answer should be like (RFC 7240).
    prefer: str | None = None
    #: Whether each member of the body has an idempotency key.
    is_keyed: bool = False
    content_type: str = "application/json"

    @property
    def may_repeat(self) -> bool:
        """With a key, a request may be repeated, and GET without one."""
        return self.method == "GET" or self.idempotency_key is not None or self.is_keyed


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes


class Http:
    """The connections of one process to the service. Threads may share it."""

    def __init__(
        self,
        url: str,
        key: Key,
        timeout: float,
        random: Callable[[], float],
        ssl_context: ssl.SSLContext | None,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or parts.hostname is None:
            raise ValueError("the option url must begin with https:// or http://")
        if parts.username is not None or parts.password is not None or parts.query:
            raise ValueError("the option url must have no user, password or query")
        self._host, self._port = parts.hostname, parts.port
        self._base = f"{parts.path.rstrip('/')}/api/v1"
        is_secure = parts.scheme == "https"
        self._context = (ssl_context or ssl.create_default_context()) if is_secure else None
        self._key = key
        self._timeout = timeout
        self._random = random
        self._idle: list[http.client.HTTPConnection] = []
        self._max_idle = 4
        self._lock = threading.Lock()

    def call(self, request: Request, timeout: float | None = None) -> Any:
        """Sends a request, and repeats it where that is harmless. Returns `data` of the answer."""
        for failed in range(1, limits.CALL_ATTEMPTS + 1):
            try:
                return self.send(request, timeout)
            except (LedgerApiError, LedgerConnectionError) as error:
                is_last = failed == limits.CALL_ATTEMPTS or is_far_off(error)
                if not request.may_repeat or is_last or not is_transient(error):
                    raise
                time.sleep(retry_delay(failed, error, self._random, limits.MAX_RETRY))
        raise AssertionError("the last attempt returns or raises")

    def send(self, request: Request, timeout: float | None = None) -> Any:
        """Sends a request once. Returns `data` of the answer."""
        answer = self._answer(request, timeout or self._timeout)
        try:
            body = json.loads(answer.body)
        except ValueError:
            body = None
        if 200 <= answer.status < 300:
            if not isinstance(body, dict):
                raise LedgerConnectionError("the answer ended within its body")
            return body.get("data")
        raise error_of(answer, body)

    def _answer(self, request: Request, timeout: float) -> Answer:
        deadline = time.monotonic() + timeout
        connection, is_fresh = self._take(timeout, request.may_repeat)
        try:
            try:
                answer = self._exchange(connection, request, deadline)
            except STALE:
                if is_fresh:
                    raise
                # The service had closed an idle connection. What may not be repeated gets a new one.
                connection.close()
                connection = self._connect(timeout)
                answer = self._exchange(connection, request, deadline)
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise LedgerConnectionError(f"the request failed: {describe(error)}") from error
        except BaseException:
            connection.close()
            raise
        self._put_back(connection)
        return answer

    def _exchange(self, connection: http.client.HTTPConnection, request: Request, deadline: float) -> Answer:
        query = urlencode({name: text_of(value) for name, value in request.query.items()})
        target = f"{self._base}{request.path}{'?' if query else ''}{query}"
        connection.request(request.method, target, request.body, self._headers(request))
        if connection.sock is not None:
            connection.sock.settimeout(left(deadline))
        response = connection.getresponse()
        chunks: list[bytes] = []
        size = 0
        while chunk := response.read1(256 * 1024):
            chunks.append(chunk)
            size += len(chunk)
            if size > limits.ANSWER_BYTES:
                raise http.client.HTTPException("the answer is too large")
            if connection.sock is not None:
                connection.sock.settimeout(left(deadline))
        if response.length:
            raise http.client.IncompleteRead(b"", response.length)
        response.close()
        headers = {name.lower(): value for name, value in response.getheaders()}
        return Answer(response.status, headers, b"".join(chunks))

    def _headers(self, request: Request) -> dict[str, str]:
        key = self._key if isinstance(self._key, str) else self._key()
        if not (key.isascii() and key.isprintable()):
            # The error of the standard library would contain the key.
            raise LedgerConnectionError("the key has characters that no header can have")
        headers = {"accept": "application/json", "x-ledger-key": key}
        if request.body is not None:
            headers["content-type"] = request.content_type
        if request.idempotency_key is not None:
            headers["idempotency-key"] = request.idempotency_key
        if request.prefer is not None:
            headers["prefer"] = request.prefer
        return headers

    def _take(self, timeout: float, may_repeat: bool) -> tuple[http.client.HTTPConnection, bool]:
        """An idle connection or a new one, and whether it is new."""
        with self._lock:
            connection = self._idle.pop() if self._idle and may_repeat else None
        if connection is None:
            return self._connect(timeout), True
        if connection.sock is not None:
            connection.sock.settimeout(timeout)
        return connection, False

    def _connect(self, timeout: float) -> http.client.HTTPConnection:
        if self._context is None:
            return http.client.HTTPConnection(self._host, self._port, timeout=timeout)
        context = self._context
        return http.client.HTTPSConnection(self._host, self._port, timeout=timeout, context=context)

    def _put_back(self, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            if connection.sock is not None and len(self._idle) < self._max_idle:
                self._idle.append(connection)
                return
        connection.close()

    def close(self) -> None:
        """Closes idle connections. A child process closes its copies of those of its parent."""
        self._max_idle = 0
        while self._idle:
            self._idle.pop().close()


def left(deadline: float) -> float:
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise TimeoutError("the service did not answer in time")
    return seconds


def text_of(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def error_of(answer: Answer, body: object) -> LedgerApiError:
    error = body.get("error") if isinstance(body, dict) else None
    ours = error if isinstance(error, dict) and "code" in error else {}
    code = str(ours.get("code", "unknown"))
    message = str(ours.get("message", "not an answer of the API"))
    details = ours.get("details")
    return LedgerApiError(
        code,
        f"{answer.status} {code}: {message}",
        answer.status,
        details if isinstance(details, dict) else {},
        answer.headers.get("x-request-id"),
        parse_retry_after(answer.headers.get("retry-after"), time.time()),
    )


def describe(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
