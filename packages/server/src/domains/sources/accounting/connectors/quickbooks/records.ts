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

/** The objects that move money. The sign is positive for money received. */
const KINDS = {
  Payment: { eventType: 'payment', sign: 1 },
  SalesReceipt: { eventType: 'sale', sign: 1 },
  RefundReceipt: { eventType: 'refund', sign: -1 },
  Purchase: { eventType: 'purchase', sign: -1 },
  BillPayment: { eventType: 'bill_payment', sign: -1 },
} as const;

export type Entity = keyof typeof KINDS;
export const ENTITIES = [
  'Payment',
  'SalesReceipt',
  'RefundReceipt',
  'Purchase',
  'BillPayment',
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
  TotalAmt: Type.String(),
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
  Line: maybe(Type.Array(Type.Object({ LinkedTxn: Links }))),
});
type Transaction = Static<typeof Transaction>;

const checkIdentified = checker(Identified, 'object');
const checkTransaction = checker(Transaction, 'object');

export type ReadObject = { readonly record: SourceRecord } | { readonly problem: SourceProblem };

/**
 * One object of a change data capture or query answer.
 * @param homeCurrency the currency of an object that names none
 */
export function readObject(entity: Entity, object: unknown, homeCurrency: string): ReadObject {
  let key: string = entity;
  try {
    const { Id, status } = checkIdentified(object);
    key = `${entity}/${Id}`;
    if (status === 'Deleted') return { record: gone(key) };
    const transaction = checkTransaction(object);
    if (isVoided(transaction)) return { record: gone(key) };
    const taken = takeTransaction(entity, transaction, homeCurrency);
    if ('problem' in taken) return { problem: problemOf(key, taken.problem) };
    return { record: { name: key, identity: 'id', where: key, ...taken } };
  } catch (error) {
    return { problem: problemOf(key, describeProblem(error)) };
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
function isVoided({ TotalAmt, PrivateNote }: Transaction): boolean {
  return toAmount(TotalAmt, 1) === '0' && /^\s*Voided\b/i.test(PrivateNote ?? '');
}

function takeTransaction(entity: Entity, transaction: Transaction, homeCurrency: string) {
  const { eventType } = KINDS[entity];
  const amount = toAmount(transaction.TotalAmt, signOf(entity, transaction));
  if (amount === null) return { problem: `TotalAmt ${transaction.TotalAmt} is not an amount` };
  const code = transaction.CurrencyRef?.value ?? homeCurrency;
  const currency = toCurrency(code);
  if (currency === null) return { problem: `${code} is not an ISO 4217 currency` };
  const timestamp = toTimestamp(transaction.TxnDate);
  if (timestamp === null) return { problem: `TxnDate ${transaction.TxnDate} is not a date` };
  const externalId = firstText(transaction.DocNumber, transaction.PaymentRefNum);
  return takeEvent({
    event_type: eventType,
    amount,
    currency,
    ...(externalId === undefined ? {} : { external_id: externalId }),
    timestamp,
    ...toDescription(transaction.PrivateNote ?? ''),
    ...metadataOf(transaction),
  });
}

/** A purchase with `Credit` is money received, such as a refund to a credit card. */
function signOf(entity: Entity, { Credit }: Transaction): 1 | -1 {
  return entity === 'Purchase' && Credit === true ? 1 : KINDS[entity].sign;
}

function firstText(...texts: readonly (string | null | undefined)[]): string | undefined {
  return texts.find((text) => text !== undefined && text !== null && text !== '') ?? undefined;
}

function metadataOf(transaction: Transaction): Pick<SourceEvent, 'metadata'> {
  const { CustomerRef, VendorRef, EntityRef, DocNumber, LinkedTxn, Line } = transaction;
  const links = [...(LinkedTxn ?? []), ...(Line ?? []).flatMap((line) => line.LinkedTxn ?? [])];
  const linked = [...new Set(links.map(({ TxnType, TxnId }) => `${TxnType}/${TxnId}`))].sort();
  const metadata = {
    ...party((EntityRef?.type ?? 'party').toLowerCase(), EntityRef),
    ...party('customer', CustomerRef),
    ...party('vendor', VendorRef),
    ...(firstText(DocNumber) === undefined ? {} : { doc_number: DocNumber ?? '' }),
    ...(linked.length === 0 ? {} : { linked_transactions: linked }),
  };
  return Object.keys(metadata).length === 0 ? {} : { metadata };
}

function party(kind: string, reference: Transaction['CustomerRef']): { [name: string]: string } {
  if (reference === undefined || reference === null) return {};
  const name = firstText(reference.name);
  return {
    [`${kind}_id`]: reference.value,
    ...(name === undefined ? {} : { [`${kind}_name`]: name }),
  };
}
