from openinference.instrumentation.langchain import LangChainInstrumentor

import langchain_agent
import shop

LangChainInstrumentor().instrument(tracer_provider=shop.provider())
langchain_agent.run()
