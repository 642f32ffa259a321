import type { ActionWords } from '@decision-ledger/contract/amount-settings';
import { ACTION_WORDS, type ActionWord } from '@decision-ledger/contract/amount-words';
import { wordLists, wordsOfName } from './words.js';

/** Whether a step approves what was claimed, or looks up, asks or advises; null if its name does not say. */
export type Role = ActionWord | null;

/** Names of tools begin with those of their servers: `mcp__shop__get_order`, `shop/get_order`, `orders.get`. */
const SPACES = /__|[./:]/;
const AND = new Set(['and', 'und', 'et', 'y', 'e', 'en', 'i']);
const MAX_NAME = 200;

/** Reads the role of a step from its action type: the first and the last word of each of its parts may be a verb. */
export function roleReader(words: ActionWords): (actionType: string) => Role {
  const lists = wordLists(ACTION_WORDS.map((role) => [role, words[role]] as const));
  return (actionType) => {
    const name = actionType.slice(0, MAX_NAME);
    const listed = ACTION_WORDS.find((role) => words[role].includes(actionType));
    if (listed !== undefined) return listed;
    const last = name.split(SPACES).at(-1) ?? '';
    const roles = clausesOf(wordsOfName(last)).map((clause) => roleOf(clause, lists));
    if (roles.includes('approves')) return 'approves';
    return roles.length > 0 && roles.every((role) => role === 'reads') ? 'reads' : null;
  };
}

/** `get_and_pay` are two steps. */
function clausesOf(words: readonly string[]): string[][] {
  const clauses: string[][] = [[]];
  for (const word of words) {
    if (AND.has(word)) clauses.push([]);
    else clauses.at(-1)?.push(word);
  }
  return clauses.filter((clause) => clause.length > 0);
}

/** English begins with the verb, German and Dutch may end with it. Of two, the one that approves counts. */
function roleOf(clause: readonly string[], lists: (word: string) => ReadonlySet<ActionWord>): Role {
  const [first, last] = [lists(clause[0] ?? ''), lists(clause.at(-1) ?? '')];
  if (first.has('approves') && !first.has('reads')) return 'approves';
  if (first.has('reads')) return 'reads';
  if (last.has('approves')) return 'approves';
  return last.has('reads') ? 'reads' : null;
}
