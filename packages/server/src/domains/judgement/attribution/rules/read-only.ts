const READS = new Set([
  ...['get', 'list', 'search', 'lookup', 'look', 'find', 'fetch', 'read', 'query', 'show', 'view'],
  ...['check', 'describe', 'calculate', 'compute', 'estimate', 'think', 'classify', 'verify'],
  ...['validate', 'retrieve', 'inspect', 'analyze', 'analyse', 'monitor', 'track', 'trace'],
  ...['triage', 'preview', 'forecast', 'predict', 'simulate', 'log', 'assess', 'evaluate', 'score'],
  ...['screen', 'detect', 'identify', 'rank', 'extract', 'parse', 'compare', 'browse', 'count'],
  ...['answer', 'reply', 'respond', 'explain', 'summarize', 'summarise', 'report', 'ask', 'inform'],
  'greet',
]);
/** Who is asked to act may do so. */
const PROMPTS = new Set([
  'suggest',
  'recommend',
  'propose',
  'escalate',
  'notify',
  'send',
  'remind',
]);
const PROMPT = 0.5;

/** 1 if the first word of an action's name says that it only reads: `get_order`, `listOrders`; ½ if it prompts. */
export function readOnly(actionType: string): number {
  const first = (/[A-Z]?[a-z]+|[A-Z]+/.exec(actionType.slice(0, 200))?.[0] ?? '').toLowerCase();
  return READS.has(first) ? 1 : PROMPTS.has(first) ? PROMPT : 0;
}

/** Whether the first word of an action's name says that it only reads or talks. */
export const isReadOnly = (actionType: string): boolean => readOnly(actionType) > 0;
