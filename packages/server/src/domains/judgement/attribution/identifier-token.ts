import { hasher } from '@decision-ledger/attribution/hashed-features';
import { canonicalOf } from '@decision-ledger/attribution/identifiers';

/** The token under which decisions that hold an identifier are indexed. */
export function identifierToken(ledgerId: string, text: string): number {
  return hasher(ledgerId)('id', canonicalOf(text));
}
