from langfuse import Langfuse, observe
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

import shop

langfuse = Langfuse(
    public_key="pk-lf-none", secret_key="sk-lf-none", span_exporter=OTLPSpanExporter()
)


@observe(as_type="tool", name="refund")
def refund(order_id: str) -> dict[str, object]:
    return shop.refund_order(order_id)


@observe(as_type="agent", name="refund-bot")
def agent(order_id: str) -> str:
    refund(order_id=order_id)
    return "done"


for order in shop.ORDERS:
    try:
        agent(order)
    except OSError:
        continue
langfuse.flush()
