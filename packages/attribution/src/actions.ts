import type { ComparedDecision } from './comparison.js';
import type { FeatureValues } from './snapshot.js';
import type { Weights } from './weights.js';

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
/** Who asks may cause money that another moves; that it did is no plain fact. */
const ASKS = new Set([
  ...['offer', 'call', 'contact', 'invite', 'urge', 'request', 'advise', 'warn', 'alert'],
]);
/** What is sent to talk: who sends a refund acts. */
const MESSAGES = new Set([
  ...['mail', 'email', 'mails', 'emails', 'message', 'messages', 'sms', 'text', 'chat', 'letter'],
  ...['notice', 'notification', 'reminder', 'reply', 'answer', 'response', 'offer', 'survey'],
]);
const PROMPT = 0.5;

/** 1 if the first word of an action's name says that it only reads: `get_order`, `listOrders`; ½ if it prompts. */
export function readOnly(actionType: string): number {
  const name = actionType.slice(0, MAX_CHARS);
  const first = firstWord(name);
  if (READS.has(first)) return 1;
  return (first === 'send' ? namesMessage(name) : PROMPTS.has(first)) ? PROMPT : 0;
}

const MAX_CHARS = 200;

const firstWord = (name: string): string =>
  (/[A-Z]?[a-z]+|[A-Z]+/.exec(name)?.[0] ?? '').toLowerCase();

/** Whether the first word of an action's name says that it leaves the act to another: it reads, talks or asks. */
export const leavesAct = (actionType: string): boolean =>
  isReadOnly(actionType) || ASKS.has(firstWord(actionType.slice(0, MAX_CHARS)));

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

/** A candidate names the case of another if its transaction counts at least half as much. */
const SAME_CASE = 2;

/**
 * The probability that no candidate did what moved the money, although they concern it: all that share its
 * identifiers only read or repeat another. One that acts leaves none of it, and so does one that was denied,
 * because money follows refusals as well, such as a chargeback.
 */
export function inactionOf(candidates: readonly FeatureValues[], weights: Weights): number {
  const holders = candidates.filter(({ ledger }) => ledger !== undefined);
  if (holders.length === 0) return 0;
  const surest = Math.max(...holders.map(transactionKey));
  return holders.reduce((rest, features) => {
    const isOfCase =
      surest === 0 ? 1 : Math.min(1, (SAME_CASE * transactionKey(features)) / surest);
    return rest * (1 - isOfCase * Math.exp(effectOf(features, weights)));
  }, 1);
}

const transactionKey = ({ transaction_key = 0 }: FeatureValues): number => transaction_key;

/** The log of how often such an action has an effect. */
function effectOf(
  { read_only = 0, repetition = 0, compatibility = 0 }: FeatureValues,
  weights: Weights,
): number {
  // An action that only prompts others counts as one that acts.
  const reading = read_only < 1 ? 0 : weights.read_only;
  const own = reading + weights.repetition * repetition;
  return own === 0 ? 0 : Math.min(0, own + weights.compatibility * Math.max(0, compatibility));
}
