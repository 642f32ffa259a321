import type { MoneyKind } from '@decision-ledger/contract/source-profiles';
import { areKindsAlike, hasOwnWords, haveCommon, isWithinReference } from './likeness.js';
import { foldReference } from './references.js';
import type { Report } from './report.js';

/**
 * Whether two reports of one system may be a bill and its payment: one names the other by the id that the system has for it, and
 * both state one amount.
 */
export function isOfBill(one: Report, other: Report): boolean {
  if (one.source !== other.source || hasOwnWords(one.source)) return false;
  if (one.isOwn || other.isOwn || !areKindsAlike(kindOf(one), kindOf(other))) return false;
  if (one.sign === 0 || one.sign !== other.sign) return false;
  const isNamed = namesId(one, other) || namesId(other, one);
  return isNamed && haveCommon(one.sums, other.sums) && isWithinReference(one, other);
}

/** What is called a payment and leaves may pay anything. */
const kindOf = ({ kind, sign }: Report): MoneyKind =>
  kind === 'sale' && sign === -1 ? 'cost' : kind;

function namesId(one: Report, { external_id }: Report): boolean {
  if (external_id === null || one.external_id === external_id) return false;
  const id = foldReference(external_id);
  return id !== null && one.names.has(id);
}
