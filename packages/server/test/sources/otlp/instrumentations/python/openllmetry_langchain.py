from opentelemetry.instrumentation.langchain import LangchainInstrumentor

import langchain_agent
import shop

LangchainInstrumentor().instrument(tracer_provider=shop.provider())
langchain_agent.run()
