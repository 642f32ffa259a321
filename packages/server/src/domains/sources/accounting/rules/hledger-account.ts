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
