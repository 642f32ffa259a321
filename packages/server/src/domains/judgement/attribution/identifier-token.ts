import { canonicalOf } from './rules/canonical.js';
import { hasher } from './rules/hashed.js';

/** The token under which decisions that hold an identifier are indexed. */
export function identifierToken(ledgerId: string, text: string): number {
  return hasher(ledgerId)('id', canonicalOf(text));
}
