import { areKindsAlike, hasOwnWords, haveCommon, isWithinReference } from './likeness.js';
import { foldReference } from './references.js';
import type { Report } from './report.js';

/**
 * Whether two reports of one system may be a bill and its payment: one names the other by the id that the system has for it, and
 * both state one amount.
 */
export function isOfBill(one: Report, other: Report): boolean {
  if (one.source !== other.source || hasOwnWords(one.source)) return false;
  if (one.isOwn || other.isOwn || !areKindsAlike(one.kind, other.kind)) return false;
  if (one.sign === 0 || one.sign !== other.sign) return false;
  const isNamed = namesId(one, other) || namesId(other, one);
  return isNamed && haveCommon(one.sums, other.sums) && isWithinReference(one, other);
}

function namesId(one: Report, { external_id }: Report): boolean {
  if (external_id === null || one.external_id === external_id) return false;
  const id = foldReference(external_id);
  return id !== null && one.names.has(id);
}
