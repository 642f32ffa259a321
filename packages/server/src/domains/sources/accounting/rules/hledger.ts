/**
 * - `eventType`: the kind of account, or the top-level name of an account of another kind
 * - `sign`: turns the amount of a posting into money received by the organisation. A credit (-) to
 *   revenue is money received and a debit (+) to an expense is money spent. An amount on an asset or
 *   liability keeps its sign.
 */
export interface AccountKind {
  readonly eventType: string;
  readonly sign: 1 | -1;
}

const REVENUE: AccountKind = { eventType: 'revenue', sign: -1 };
const EXPENSE: AccountKind = { eventType: 'expense', sign: -1 };
const EQUITY: AccountKind = { eventType: 'equity', sign: -1 };
const ASSET: AccountKind = { eventType: 'asset', sign: 1 };
const LIABILITY: AccountKind = { eventType: 'liability', sign: 1 };

/** Kinds of accounts by the value of `type:` in their directives (hledger manual, Account types). */
const DECLARED = new Map<string, AccountKind>([
  ...['a', 'asset', 'c', 'cash'].map((type) => [type, ASSET] as const),
  ...['l', 'liability'].map((type) => [type, LIABILITY] as const),
  ...['e', 'equity', 'v', 'conversion'].map((type) => [type, EQUITY] as const),
  ...['r', 'revenue'].map((type) => [type, REVENUE] as const),
  ...['x', 'expense'].map((type) => [type, EXPENSE] as const),
]);

/** Kinds of accounts by their English names, as hledger infers them. */
const NAMED: readonly (readonly [pattern: RegExp, kind: AccountKind])[] = [
  [/^(?:income|revenue)s?(?::|$)/i, REVENUE],
  [/^expenses?(?::|$)/i, EXPENSE],
  [/^equity(?::|$)/i, EQUITY],
  [/^assets?(?::|$)/i, ASSET],
  [/^(?:debts?|liabilit(?:y|ies))(?::|$)/i, LIABILITY],
];

/**
 * The kind of an account: as it or its nearest parent is declared, else by its name.
 * @param tags of a posting to it, with those of the directives of its account and then of the parents
 * @param comment of the posting
 */
export function accountKind(account: string, tags: readonly Tag[], comment: string): AccountKind {
  const own = new Set(ownTags(tags, comment));
  for (const tag of tags) {
    const declared = tag[0] === 'type' && !own.has(tag) ? DECLARED.get(tag[1].toLowerCase()) : null;
    if (declared !== undefined && declared !== null) return declared;
  }
  const named = NAMED.find(([pattern]) => pattern.test(account))?.[1];
  return named ?? { eventType: account.split(':', 1).join(''), sign: -1 };
}

/** @param accounts selected accounts with their subaccounts; undefined for revenue and expenses */
export function isWanted(
  account: string,
  kind: AccountKind,
  accounts: readonly string[] | undefined,
): boolean {
  if (accounts === undefined) return kind === REVENUE || kind === EXPENSE;
  return accounts.some((wanted) => account === wanted || account.startsWith(`${wanted}:`));
}

/** Tags that hledger gives to what `--forecast` and `--auto` make. A printed copy in the books has others. */
const GENERATED = ['_generated-transaction', '_generated-posting'];

export function isGenerated(tags: readonly Tag[]): boolean {
  return tags.some(([name]) => GENERATED.includes(name));
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
