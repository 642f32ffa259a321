import { Big } from 'big.js';
import { firstOf, sourceReader } from './source.js';
import type { Span } from './span.js';

const readers = (...sources: readonly string[]) => sources.map(sourceReader);

/** The member of the metadata for each figure of a model's use, with what instrumentations call it. */
const TOKENS = Object.entries({
  input_tokens: readers(
    ...['gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens', 'llm.token_count.prompt'],
    ...['ai.usage.inputTokens', 'langfuse.observation.usage_details#/input'],
  ),
  output_tokens: readers(
    ...['gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens'],
    ...['llm.token_count.completion', 'ai.usage.outputTokens'],
    'langfuse.observation.usage_details#/output',
  ),
  total_tokens: readers(
    ...['gen_ai.usage.total_tokens', 'llm.usage.total_tokens', 'llm.token_count.total'],
    ...['ai.usage.totalTokens', 'langfuse.observation.usage_details#/total'],
  ),
  cached_input_tokens: readers(
    ...['gen_ai.usage.cache_read.input_tokens', 'gen_ai.usage.cache_read_input_tokens'],
    ...['llm.token_count.prompt_details.cache_read', 'ai.usage.cachedInputTokens'],
  ),
  reasoning_tokens: readers(
    ...['gen_ai.usage.reasoning_tokens', 'llm.token_count.completion_details.reasoning'],
    'ai.usage.reasoningTokens',
  ),
});

/** In US dollars, as these instrumentations say. */
const COST = readers(
  ...['operation.cost', 'llm.cost.total', 'langfuse.observation.cost_details#/total'],
);

const MODEL = readers(
  ...['gen_ai.request.model', 'gen_ai.response.model', 'llm.model_name', 'ai.model.id'],
  'langfuse.observation.model.name',
);

/** The model that a span states, and what its use took; members that it does not state are left out. */
export function modelOf(span: Span): object {
  const model = firstOf(MODEL, span);
  const usage = usageOf(span);
  return {
    ...(model !== undefined && { model }),
    ...(Object.keys(usage).length > 0 && { usage }),
  };
}

/** Most spans are not of models: their names tell at once. */
const OF_USE = /\b(?:usage|usage_details|token_count|cost|cost_details)\b/;

function statesUse({ attributes }: Span): boolean {
  for (const name of attributes.keys()) if (OF_USE.test(name)) return true;
  return false;
}

function usageOf(span: Span): object {
  if (!statesUse(span)) return {};
  const usage: Record<string, number> = {};
  for (const [name, sources] of TOKENS) {
    const tokens = firstOf(sources, span);
    if (Number.isSafeInteger(tokens) && Number(tokens) >= 0) usage[name] = Number(tokens);
  }
  const cost = firstOf(COST, span);
  return typeof cost === 'number' && cost >= 0
    ? { ...usage, cost: new Big(cost).toFixed(), currency: 'USD' }
    : usage;
}
