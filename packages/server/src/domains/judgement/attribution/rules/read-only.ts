import type { ComparedDecision } from './compared.js';

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
const PROMPTS = new Set(['suggest', 'recommend', 'propose', 'escalate', 'notify', 'remind']);
/** What is sent to talk: who sends a refund acts. */
const MESSAGES = new Set([
  ...['mail', 'email', 'mails', 'emails', 'message', 'messages', 'sms', 'text', 'chat', 'letter'],
  ...['notice', 'notification', 'reminder', 'reply', 'answer', 'response', 'offer', 'survey'],
]);
const PROMPT = 0.5;

/** 1 if the first word of an action's name says that it only reads: `get_order`, `listOrders`; ½ if it prompts. */
export function readOnly(actionType: string): number {
  const name = actionType.slice(0, MAX_CHARS);
  const first = (/[A-Z]?[a-z]+|[A-Z]+/.exec(name)?.[0] ?? '').toLowerCase();
  if (READS.has(first)) return 1;
  return (first === 'send' ? namesMessage(name) : PROMPTS.has(first)) ? PROMPT : 0;
}

const MAX_CHARS = 200;

const namesMessage = (name: string): boolean =>
  (name.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? []).some((word) => MESSAGES.has(word.toLowerCase()));

/** Whether a decision did more than read, also one that prompts: who is asked to act may do so. */
export const mayAct = ({
  actionType,
  saysItFailed,
}: Pick<ComparedDecision, 'actionType' | 'saysItFailed'>): boolean =>
  readOnly(actionType) < 1 && !saysItFailed;

/** Whether the first word of an action's name says that it only reads or talks. */
export const isReadOnly = (actionType: string): boolean => readOnly(actionType) > 0;
