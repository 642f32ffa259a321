"""A TCP proxy in front of the service that breaks requests."""

import contextlib
import json
import random
import socket
import ssl
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

#: Of twenty requests, those that meet each fault.
MIX = ["pass"] * 9 + ["delay"] * 2 + ["reset"] * 2 + ["lose"] * 3 + ["cut"] * 2 + ["429", "503"]
BODY = b'{"error":{"code":"unavailable","message":"the proxy says so"}}'


def mixed(seed: int) -> Callable[[bytes], str]:
    generator = random.Random(seed)
    return lambda body: generator.choice(MIX)


def in_order(*faults: str) -> Callable[[bytes], str]:
    """Each fault once, and then everything passes."""
    left = list(faults)
    return lambda body: left.pop(0) if left else "pass"


class FaultProxy:
    """
    It resets connections before (`reset`) and after (`lose`) the service has the request, delays it, holds
    answers (`late`), cuts them, and answers with a status itself. `choose` gets the body of each request.
    """

    def __init__(
        self, target: str, choose: Callable[[bytes], str], tls: ssl.SSLContext | None = None
    ) -> None:
        parts = urlsplit(target)
        self._target = (parts.hostname, parts.port or 80)
        self.choose = choose
        self.counts: Counter[str] = Counter()
        #: The bodies that arrived, broken requests included.
        self.bodies: list[bytes] = []
        self.retry_after = "0"
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._tls = tls
        scheme = "http" if tls is None else "https"
        self.url = f"{scheme}://127.0.0.1:{self._listener.getsockname()[1]}"
        self._open: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> "FaultProxy":
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for one in list(self._open):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def batches(self) -> list[list[dict[str, Any]]]:
        bodies = [json.loads(body) for body in self.bodies if body]
        return [body["decisions"] for body in bodies if "decisions" in body]

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            self._open.add(client)
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        upstream = socket.create_connection(self._target)
        self._open.add(upstream)
        try:
            if self._tls is not None:
                client = self._tls.wrap_socket(client, server_side=True)
            while (request := read_message(client)) is not None:
                body = request.partition(b"\r\n\r\n")[2]
                fault = self.choose(body)
                self.counts[fault] += 1
                self.bodies.append(body)
                if not self._answer(fault, request, client, upstream):
                    return
        except OSError:
            pass  # a test has ended
        finally:
            for one in (client, upstream):
                self._open.discard(one)
                one.close()

    def _answer(self, fault: str, request: bytes, client: socket.socket, upstream: socket.socket) -> bool:
        """Returns whether the connection stays open."""
        if fault == "reset":
            reset(client)
            return False
        if fault.isdigit():
            head = (
                f"HTTP/1.1 {fault} No\r\nretry-after: {self.retry_after}\r\ncontent-length: {len(BODY)}\r\n"
            )
            client.sendall(f"{head}connection: close\r\n\r\n".encode() + BODY)
            return False
        if fault == "delay":
            time.sleep(0.03)
        upstream.sendall(request)
        answer = read_message(upstream)
        if fault == "late":
            time.sleep(0.5)
        if fault == "lose" or answer is None:
            reset(client)
            return False
        if fault == "cut":
            client.sendall(answer[: len(answer) // 2])
            return False
        client.sendall(answer)
        return True


def reset(client: socket.socket) -> None:
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


def read_message(source: socket.socket) -> bytes | None:
    """A whole request or answer; None at the end of the connection."""
    data = b""
    while b"\r\n\r\n" not in data:
        chunk = source.recv(65536)
        if not chunk:
            return None
        data += chunk
    head, _, body = data.partition(b"\r\n\r\n")
    parts = [data]
    missing = content_length(head) - len(body)
    while missing > 0:
        chunk = source.recv(65536)
        if not chunk:
            return None
        parts.append(chunk)
        missing -= len(chunk)
    return b"".join(parts)


def content_length(head: bytes) -> int:
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return int(line.partition(b":")[2])
    return 0
