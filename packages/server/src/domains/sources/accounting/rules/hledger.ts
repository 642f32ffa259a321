/** Kinds of accounts by their English names, as hledger infers them. */
const KINDS: readonly [kind: string, pattern: RegExp, sign: 1 | -1][] = [
  ['revenue', /^(?:income|revenue)s?(?::|$)/i, -1],
  ['expense', /^expenses?(?::|$)/i, -1],
  ['equity', /^equity(?::|$)/i, -1],
  ['asset', /^assets?(?::|$)/i, 1],
  ['liability', /^(?:debts?|liabilit(?:y|ies))(?::|$)/i, 1],
];

/**
 * - `eventType`: the kind of account, or the top-level name of an account of another kind
 * - `sign`: turns the amount of a posting into money received by the organisation. A credit (-) to
 *   revenue is money received and a debit (+) to an expense is money spent. An amount on an asset or
 *   liability keeps its sign.
 */
export function classifyAccount(account: string): { eventType: string; sign: 1 | -1 } {
  const known = KINDS.find(([, pattern]) => pattern.test(account));
  if (known !== undefined) return { eventType: known[0], sign: known[2] };
  return { eventType: account.split(':', 1).join(''), sign: -1 };
}

/** @param accounts selected accounts with their subaccounts; undefined for revenue and expenses */
export function isWanted(account: string, accounts: readonly string[] | undefined): boolean {
  if (accounts === undefined)
    return ['revenue', 'expense'].includes(classifyAccount(account).eventType);
  return accounts.some((wanted) => account === wanted || account.startsWith(`${wanted}:`));
}

export type Tag = readonly [name: string, value: string];

/** `name:value`, where the value ends at a comma or the line (hledger manual, Tags). */
const TAG = /([^\s:,]+):([^,\n]*)/g;

/**
 * The tags in the comment of a posting or transaction. hledger adds the tags of the account directive,
 * which do not describe the posting: `type:` there is the type of the account.
 */
export function ownTags(tags: readonly Tag[], comment: string): readonly Tag[] {
  const own = new Set(
    Array.from(comment.matchAll(TAG), ([, name = '', value = '']) => `${name}:${value.trim()}`),
  );
  return tags.filter(([name, value]) => own.has(`${name}:${value}`));
}

/** The value of each tag, or the list of its values. */
export function tagMetadata(tags: readonly Tag[]): { [name: string]: string | string[] } {
  const values = new Map<string, string[]>();
  for (const [name, value] of tags) {
    const list = values.get(name) ?? [];
    if (!list.includes(value)) values.set(name, [...list, value]);
  }
  return Object.fromEntries(
    Array.from(values, ([name, list]) => [name, list.length === 1 ? list.join('') : list]),
  );
}
