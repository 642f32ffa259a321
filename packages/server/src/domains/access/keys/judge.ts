import { sha256Hex } from '@decision-ledger/proof/hash';
import type { Clock } from '../../../platform/clock.js';
import type { Queryable } from '../../../platform/database.js';
import type { Principal } from '../../../platform/principal.js';
import { principalOf } from './authenticate.js';
import { isUsable } from './rules/key.js';
import { parseKey } from './rules/key-text.js';
import { selectKeysByHash } from './store/api-keys.js';

/** The principal of a key, or the reason why it is invalid. */
export type KeyVerdict =
  | { readonly principal: Principal }
  | { readonly problem: 'mistyped' | 'unknown' | 'revoked' | 'expired' };

/** Explains why a key is invalid. Only for the operator's command line: requests are never told. */
export async function judgeKey(db: Queryable, clock: Clock, text: string): Promise<KeyVerdict> {
  if (parseKey(text) === null) return { problem: 'mistyped' };
  const [row] = await selectKeysByHash(db, [sha256Hex(text)]);
  if (row === undefined) return { problem: 'unknown' };
  if (isUsable(row, clock.now())) return { principal: principalOf(row) };
  return { problem: row.revoked_at === null ? 'expired' : 'revoked' };
}
