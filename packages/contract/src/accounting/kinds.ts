import { type Static, Type } from 'typebox';
import { hledger } from './hledger.js';
import { quickbooks } from './quickbooks.js';

/** Every kind of accounting connection. */
export const ACCOUNTING = { hledger, quickbooks } as const;

export type AccountingKind = keyof typeof ACCOUNTING;

export const ACCOUNTING_KINDS = Object.values(ACCOUNTING).map(({ kind }) => kind);

/** A connection of one kind, as the settings hold it. */
export type ConnectionOf<Kind extends AccountingKind> = {
  [One in Kind]: Static<(typeof ACCOUNTING)[One]['schema']> & { readonly kind: One };
}[Kind];

export type AccountingConnection = ConnectionOf<AccountingKind>;

const schemas = Object.values(ACCOUNTING).map(({ schema }) => schema);

/** The type is given, because TypeBox infers none for a union of a list. */
export const AccountingConnection = Object.assign(
  Type.Unsafe<AccountingConnection>(Type.Union(schemas)),
  { anyOf: schemas },
);
