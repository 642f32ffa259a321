import type { Role } from './whole.js';

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

/** Words in names of accounts, in several languages. */
const TAX_WORDS = wordsOf(
  `tax taxes vat gst hst pst qst mwst ust mehrwertsteuer umsatzsteuer vorsteuer steuer tva taxe iva igic impuesto
  impuestos imposta btw moms mva alv dph`,
);
const FEE_WORDS = wordsOf(
  `fee fees commission commissions gebühr gebühren provision provisionen frais commissie comisión comisiones
  commissioni avgift avgifter`,
);
/** What is taken off a sale or a purchase. */
const DISCOUNT_WORDS = wordsOf(
  `discount discounts rebate rebates allowance allowances rabatt rabatte skonto skonti nachlass nachlässe erlösschmälerungen
  remise remises rabais ristourne ristournes escompte sconto sconti abbuono descuento descuentos korting kortingen rabat
  rabaty rabatter desconto descontos alennus alennukset slevy`,
);
const DUE_WORDS = wordsOf(
  `receivable receivables payable payables debtor debtors creditor creditors forderung forderungen debitoren
  kreditoren clients fournisseurs clientes proveedores clienti fornitori debiteuren crediteuren`,
);
/** Liabilities for what was paid before it is earned. A deposit or an advance may be a loan, and is none of them. */
const EARLY_WORDS = wordsOf(
  `deferred deferral deferrals unearned prepaid prepayment prepayments voucher vouchers giftcard giftcards gift
  anzahlung anzahlungen kundenanzahlungen vorauszahlung vorauszahlungen gutschein gutscheine abgrenzung abgrenzungen
  rechnungsabgrenzung rechnungsabgrenzungsposten constatés constates acompte acomptes arrhes cadeau cadeaux
  diferido diferidos anticipo anticipos anticipado anticipados prepago vales risconto risconti acconto acconti
  vooruitontvangen vooruitbetaald vooruitbetalingen aanbetaling aanbetalingen cadeaubon cadeaubonnen tegoedbon
  tegoedbonnen förskott förutbetalda presentkort forudbetaling forudbetalinger forudbetalt gavekort forskudd
  ennakkomaksut ennakot lahjakortit zaliczka zaliczki przedpłata przedpłaty adiantamento adiantamentos diferimento
  diferimentos zálohy`,
);
const ROLES = new Map<string, Role>(
  (['income', 'cost', 'fee', 'tax', 'due', 'money', 'other'] as const).map((role) => [role, role]),
);

/** Numbers are no words: `vat19` is tax. */
function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().split(/[^\p{L}\p{M}]+/u));
}

/**
 * What a posting is in its transaction: as a tag `part:` of the posting or of its account says, else by the kind and the
 * name of its account.
 */
export function roleOf(account: string, kind: AccountKind, tags: readonly Tag[]): Role {
  for (const [name, value] of tags) {
    const declared = name === 'part' ? ROLES.get(value.toLowerCase()) : undefined;
    if (declared !== undefined) return declared;
  }
  const words = wordsOf(account);
  const has = (known: ReadonlySet<string>) => [...words].some((word) => known.has(word));
  if (kind === REVENUE) return 'income';
  if (kind === EXPENSE && has(DISCOUNT_WORDS)) return 'discount';
  if (kind === EXPENSE) return has(FEE_WORDS) ? 'fee' : 'cost';
  if (kind === EQUITY) return 'equity';
  if (kind !== ASSET && kind !== LIABILITY) return 'other';
  if (has(TAX_WORDS)) return 'tax';
  if (has(DUE_WORDS) || isPaidEarly(account, kind)) return 'due';
  return kind === ASSET ? 'money' : 'liability';
}

/** Whether an account holds what customers paid before it is earned: deferred income, prepayments, vouchers. */
export function isPaidEarly(account: string, kind: AccountKind): boolean {
  return kind === LIABILITY && [...wordsOf(account)].some((word) => EARLY_WORDS.has(word));
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
