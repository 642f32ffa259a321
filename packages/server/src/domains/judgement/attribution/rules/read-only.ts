const READS = new Set([
  ...['get', 'list', 'search', 'lookup', 'look', 'find', 'fetch', 'read', 'query', 'show', 'view'],
  ...[
    'check',
    'describe',
    'calculate',
    'compute',
    'estimate',
    'think',
    'answer',
    'reply',
    'respond',
  ],
  ...['explain', 'summarize', 'summarise', 'classify', 'verify', 'validate', 'retrieve', 'inspect'],
  ...[
    'report',
    'suggest',
    'recommend',
    'propose',
    'analyze',
    'analyse',
    'monitor',
    'track',
    'trace',
  ],
  ...['triage', 'preview', 'forecast', 'predict', 'simulate', 'log', 'ask', 'inform', 'greet'],
  ...['assess', 'evaluate', 'score', 'screen', 'detect', 'identify', 'rank', 'extract', 'parse'],
  ...['compare', 'browse', 'count', 'transfer_to_human', 'escalate', 'notify', 'send', 'remind'],
]);

/** Whether the first word of an action's name says that it only reads or talks: `get_order`, `listOrders`. */
export function isReadOnly(actionType: string): boolean {
  const first = /[A-Z]?[a-z]+|[A-Z]+/.exec(actionType.slice(0, 200))?.[0] ?? '';
  return READS.has(first.toLowerCase());
}
