import { parseTimestamp } from '@decision-ledger/contract/time';
import { checker } from '@decision-ledger/contract/validation';
import { type Static, type TSchema, Type } from 'typebox';
import type { SourceEvent, SourceProblem, SourceRecord } from '../../rules/source-record.js';
import {
  describeProblem,
  FINGERPRINT_OF_NOTHING,
  takeEvent,
  toAmount,
  toCurrency,
  toDescription,
  toTimestamp,
} from '../take-event.js';
import type { AccountRoles } from './accounts.js';
import { readLines } from './lines.js';
import { showWhole } from './whole.js';

/** The objects that move money, or will. The sign is positive for money received. */
const KINDS = {
  Invoice: { eventType: 'invoice', sign: 1, basis: 'accrual' },
  CreditMemo: { eventType: 'credit_memo', sign: -1, basis: 'accrual' },
  Bill: { eventType: 'bill', sign: -1, basis: 'accrual' },
  VendorCredit: { eventType: 'vendor_credit', sign: 1, basis: 'accrual' },
  Deposit: { eventType: 'deposit', sign: 1, basis: 'own_accounts' },
  Transfer: { eventType: 'transfer', sign: 1, basis: 'own_accounts' },
  JournalEntry: { eventType: 'journal_entry', sign: 1, basis: 'cash' },
  Payment: { eventType: 'payment', sign: 1, basis: 'settlement' },
  SalesReceipt: { eventType: 'sale', sign: 1, basis: 'cash' },
  RefundReceipt: { eventType: 'refund', sign: -1, basis: 'cash' },
  Purchase: { eventType: 'purchase', sign: -1, basis: 'cash' },
  BillPayment: { eventType: 'bill_payment', sign: -1, basis: 'settlement' },
} as const;

export type Entity = keyof typeof KINDS;
export const ENTITIES = [
  'Payment',
  'SalesReceipt',
  'RefundReceipt',
  'Purchase',
  'BillPayment',
  'Invoice',
  'CreditMemo',
  'Bill',
  'VendorCredit',
  'Deposit',
  'Transfer',
  'JournalEntry',
] as const satisfies readonly Entity[];

const maybe = <Schema extends TSchema>(schema: Schema) =>
  Type.Optional(Type.Union([schema, Type.Null()]));
const Text = maybe(Type.String());
const Reference = maybe(Type.Object({ value: Type.String(), name: Text, type: Text }));
const Links = maybe(Type.Array(Type.Object({ TxnId: Type.String(), TxnType: Type.String() })));

const Identified = Type.Object({
  Id: Type.String({ pattern: '^[^/]{1,180}$' }),
  status: Text,
  MetaData: maybe(Type.Object({ LastUpdatedTime: Text })),
});

/** Amounts are text here: see parseExactJson. */
const Transaction = Type.Object({
  TotalAmt: Text,
  /** Of a transfer. */
  Amount: Text,
  TxnDate: Type.String(),
  CurrencyRef: Reference,
  PrivateNote: Text,
  DocNumber: Text,
  PaymentRefNum: Text,
  CustomerRef: Reference,
  VendorRef: Reference,
  EntityRef: Reference,
  Credit: maybe(Type.Boolean()),
  LinkedTxn: Links,
  Line: maybe(Type.Array(Type.Object({ Amount: Text, LinkedTxn: Links }))),
  TxnTaxDetail: maybe(Type.Object({ TotalTax: Text })),
  ExchangeRate: Text,
  HomeTotalAmt: Text,
});
type Transaction = Static<typeof Transaction>;

const checkIdentified = checker(Identified, 'object');
const checkTransaction = checker(Transaction, 'object');

/** What the readers of objects need of the company. */
export interface Company {
  /** The currency of an object that names none. */
  readonly homeCurrency: string;
  readonly roles: AccountRoles;
}

export interface ReadObject {
  readonly records: readonly SourceRecord[];
  readonly problems: readonly SourceProblem[];
  /** The name of an object whose lines are all among the records; null if it has none, or they cannot be read. */
  readonly whole: string | null;
}

/** One object of a change data capture or query answer. */
export function readObject(entity: Entity, object: unknown, company: Company): ReadObject {
  let key: string = entity;
  try {
    const { Id, status } = checkIdentified(object);
    key = `${entity}/${Id}`;
    const whole = hasLines(entity) ? key : null;
    if (status === 'Deleted') return { records: [gone(key)], problems: [], whole };
    const transaction = checkTransaction(object);
    if (isVoided(transaction)) return { records: [gone(key)], problems: [], whole };
    const taken = hasLines(entity)
      ? takeLines({ entity, key, transaction, object }, company)
      : [takeTransaction({ entity, key, transaction }, company)];
    const problems = taken.flatMap((one) => ('reason' in one ? [one] : []));
    const records = taken.flatMap((one) => ('reason' in one ? [] : [one]));
    return { records, problems, whole: problems.length === 0 ? whole : null };
  } catch (error) {
    return { records: [], problems: [problemOf(key, describeProblem(error))], whole: null };
  }
}

/** Time of the last change of an object, in ms; null if the object has none. */
export function lastUpdatedOf(object: unknown): number | null {
  try {
    return parseTimestamp(checkIdentified(object).MetaData?.LastUpdatedTime ?? '');
  } catch {
    return null;
  }
}

/** Whether an object that exists names no currency. */
export function lacksCurrency(object: unknown): boolean {
  const fields = new Map(Object.entries(Object(object)));
  return fields.get('status') !== 'Deleted' && (fields.get('CurrencyRef') ?? null) === null;
}

function gone(key: string): SourceRecord {
  const where = { name: key, identity: 'id', where: key } as const;
  return { ...where, fingerprint: FINGERPRINT_OF_NOTHING, event: null };
}

/** QuickBooks lists changes only, so what is recorded of the object stays. */
function problemOf(key: string, reason: string): SourceProblem {
  return { where: key, reason, about: null };
}

/** Voiding sets the amounts to zero and prefixes the note with `Voided`. */
function isVoided({ TotalAmt, Amount, Line, PrivateNote }: Transaction): boolean {
  const amounts = [
    TotalAmt ?? Amount,
    ...(TotalAmt === undefined ? (Line ?? []) : []).map((line) => line.Amount),
  ];
  const isZero = amounts.every((amount) => (toAmount(amount ?? '0', 1) ?? '0') === '0');
  return isZero && /^\s*Voided\b/i.test(PrivateNote ?? '');
}

interface Named {
  readonly entity: Entity;
  readonly key: string;
  readonly transaction: Transaction;
}

type LinedEntity = 'Deposit' | 'JournalEntry';

/** Whether lines of these objects have events of their own. */
export const hasLines = (entity: Entity): entity is LinedEntity =>
  entity === 'Deposit' || entity === 'JournalEntry';

function takeTransaction(named: Named, company: Company): SourceRecord | SourceProblem {
  const { entity, key, transaction } = named;
  const { eventType, basis } = KINDS[entity];
  const sign = signOf(entity, transaction);
  const stated = transaction.TotalAmt ?? transaction.Amount ?? null;
  if (stated === null) return problemOf(key, 'TotalAmt is required');
  const total = toAmount(stated, sign);
  if (total === null) return problemOf(key, `TotalAmt ${stated} is not an amount`);
  const event = (currency: string) => ({
    ...{ event_type: eventType, amount: total },
    whole: showWhole(transaction, { total, currency, sign, basis }),
  });
  return takeRecord(named, company, event);
}

/** A deposit, if it repeats payments, and each line that is income or cost by itself. */
function takeLines(
  { object, ...named }: Named & { readonly entity: LinedEntity; readonly object: unknown },
  company: Company,
): (SourceRecord | SourceProblem)[] {
  const { entity, key } = named;
  const read = readLines(entity, object, company.roles);
  if ('problem' in read) return [problemOf(key, read.problem)];
  const { basis, whole, deposit } = read;
  const own =
    deposit === null
      ? []
      : [
          takeRecord(named, company, (currency) => ({
            ...{ event_type: KINDS[entity].eventType, amount: deposit.settled ?? '0' },
            whole: { basis: 'own_accounts', transaction: { currency, ...deposit } },
          })),
        ];
  const lines = read.results.map(({ id, event: { account, ...event }, description }) =>
    takeRecord({ ...named, key: `${key}/${id}` }, company, (currency) => ({
      ...event,
      whole: { basis, account, transaction: { currency, ...whole } },
      ...(description === null ? {} : { description }),
    })),
  );
  return [...own, ...lines];
}

interface OwnEvent extends Pick<SourceEvent, 'event_type' | 'amount'> {
  readonly whole: NonNullable<SourceEvent['metadata']>;
  /** Instead of the memo of the object. */
  readonly description?: string;
}

function takeRecord(
  { key, transaction }: Named,
  { homeCurrency }: Company,
  eventOf: (currency: string) => OwnEvent,
): SourceRecord | SourceProblem {
  const code = transaction.CurrencyRef?.value ?? homeCurrency;
  const currency = toCurrency(code);
  if (currency === null) return problemOf(key, `${code} is not an ISO 4217 currency`);
  const timestamp = toTimestamp(transaction.TxnDate);
  if (timestamp === null) return problemOf(key, `TxnDate ${transaction.TxnDate} is not a date`);
  const externalId = firstText(transaction.DocNumber, transaction.PaymentRefNum);
  const { whole, description, ...event } = eventOf(currency);
  const taken = takeEvent({
    ...event,
    ...{ currency, timestamp },
    ...(externalId === undefined ? {} : { external_id: externalId }),
    ...toDescription(description ?? transaction.PrivateNote ?? ''),
    metadata: { ...metadataOf(transaction), ...whole },
  });
  if ('problem' in taken) return problemOf(key, taken.problem);
  return { name: key, identity: 'id', where: key, ...taken };
}

/** A purchase with `Credit` is money received, such as a refund to a credit card. */
function signOf(entity: Entity, { Credit }: Transaction): 1 | -1 {
  return entity === 'Purchase' && Credit === true ? 1 : KINDS[entity].sign;
}

function firstText(...texts: readonly (string | null | undefined)[]): string | undefined {
  return texts.find((text) => text !== undefined && text !== null && text !== '') ?? undefined;
}

function metadataOf(transaction: Transaction): NonNullable<SourceEvent['metadata']> {
  const { CustomerRef, VendorRef, EntityRef, DocNumber, LinkedTxn, Line } = transaction;
  const links = [...(LinkedTxn ?? []), ...(Line ?? []).flatMap((line) => line.LinkedTxn ?? [])];
  const linked = [...new Set(links.map(({ TxnType, TxnId }) => `${TxnType}/${TxnId}`))].sort();
  return {
    ...party((EntityRef?.type ?? 'party').toLowerCase(), EntityRef),
    ...party('customer', CustomerRef),
    ...party('vendor', VendorRef),
    ...(firstText(DocNumber) === undefined ? {} : { doc_number: DocNumber ?? '' }),
    ...(linked.length === 0 ? {} : { linked_transactions: linked }),
  };
}

function party(kind: string, reference: Transaction['CustomerRef']): { [name: string]: string } {
  if (reference === undefined || reference === null) return {};
  const name = firstText(reference.name);
  return {
    [`${kind}_id`]: reference.value,
    ...(name === undefined ? {} : { [`${kind}_name`]: name }),
  };
}
