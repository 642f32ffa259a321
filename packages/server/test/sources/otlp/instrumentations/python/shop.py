"""What all agents here share: the exporter, a tool that ends in three ways, and the calls of it."""

from typing import Any

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor

#: One is carried out, one is denied, and one fails.
ORDERS = ["A-1", "A-2", "A-3"]


def provider() -> TracerProvider:
    """Sends each span to the address of the standard variables as soon as it ends."""
    made = TracerProvider(resource=Resource.create({"service.name": "shop"}))
    made.add_span_processor(SimpleSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(made)
    return made


def refund_order(order_id: str) -> dict[str, Any]:
    if order_id == "A-2":
        return {"approved": False, "reason": "above the limit"}
    if order_id == "A-3":
        raise OSError("the bank is closed")
    return {"approved": True, "amount": "12.00"}
