"""Delivery over https."""

import shutil
import ssl
import subprocess
from pathlib import Path

import pytest

from decision_ledger import DecisionsLostError, Ledger, Problem
from support.decisions import decision, new_agent, numbers
from support.fault_proxy import FaultProxy, in_order
from support.service import Service

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")


def certificate(folder: Path) -> tuple[Path, Path]:
    key, cert = folder / "key.pem", folder / "cert.pem"
    names = ["-subj", "/CN=ledger", "-addext", "subjectAltName=IP:127.0.0.1"]
    kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"]
    command = ["openssl", "req", *kind, "-keyout", str(key), "-out", str(cert), *names]
    subprocess.run(command, check=True, capture_output=True)
    return key, cert


def test_https_needs_a_certificate_that_is_trusted(service: Service, tmp_path: Path) -> None:
    key, cert = certificate(tmp_path)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(cert, key)
    agent, problems = new_agent(), list[Problem]()
    with FaultProxy(service.url, in_order("pass", "lose", "cut"), tls) as proxy:
        trusted = ssl.create_default_context(cafile=str(cert))
        with Ledger(proxy.url, service.test, ssl_context=trusted, on_error=problems.append) as ledger:
            for n in range(3):
                ledger.record(decision(agent, n))
                ledger.flush()
        stranger = Ledger(proxy.url, service.test, on_error=problems.append)
        stranger.record(decision(agent, 9))
        with pytest.raises(DecisionsLostError):
            stranger.close(timeout=0.5)
    assert numbers(service.decisions(agent)) == [0, 1, 2]
    assert any("CERTIFICATE_VERIFY_FAILED" in problem.message for problem in problems)
