"""An agent that is traced with the OpenTelemetry SDK for Python: an address, a key and a packing."""

import sys

from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Status, StatusCode

url, key, packing = sys.argv[1:]
exporter = OTLPSpanExporter(
    url + "/v1/traces", headers={"X-Ledger-Key": key}, compression=Compression(packing)
)
provider = TracerProvider(resource=Resource.create({"service.name": "shop"}))
provider.add_span_processor(BatchSpanProcessor(exporter, max_export_batch_size=16))
tracer = provider.get_tracer("agents")

for index in range(50):
    with tracer.start_as_current_span("invoke_agent refund-bot") as run:
        run.set_attribute("gen_ai.operation.name", "invoke_agent")
        with tracer.start_as_current_span("execute_tool refund") as call:
            call.set_attributes(
                {
                    "gen_ai.operation.name": "execute_tool",
                    "gen_ai.tool.name": "refund",
                    "gen_ai.tool.call.arguments": '{"order_id": "A-%d"}' % index,
                    "gen_ai.tool.call.result": '{"refunded": true}',
                    "decision_ledger.human_in_loop": index % 2 == 0,
                }
            )
            if index > 0:
                call.set_attribute("decision_ledger.confidence", index / 50)
            if index == 7:
                call.set_status(Status(StatusCode.ERROR, "no answer"))
provider.shutdown()
