import type { SigningKey } from '@decision-ledger/contract/export';
import { LIMITS } from '@decision-ledger/contract/limits';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { SIGNATURE_ALGORITHM } from '@decision-ledger/proof/bundle/manifest';
import { everyRow, type PageRows } from '../../../platform/page.js';
import type { Scope } from '../../../platform/principal.js';
import type { Queryable } from '../../../platform/statement.js';
import {
  type SigningKeyPagePosition,
  type SigningKeyRow,
  selectSigningKeys,
} from './store/signing-keys.js';

/** Current and retired keys of an organisation, newest first. */
export function listSigningKeys(
  db: Queryable,
  org: Pick<Scope, 'orgId'>,
  after: SigningKeyPagePosition | null,
  limit: number,
): Promise<PageRows<SigningKeyRow>> {
  return selectSigningKeys(db, org, after, limit);
}

/** All current and retired keys of an organisation, newest first. */
export async function everySigningKey(
  db: Queryable,
  org: Pick<Scope, 'orgId'>,
): Promise<SigningKey[]> {
  const rows = await everyRow<SigningKeyRow>((last) =>
    selectSigningKeys(db, org, last === null ? null : signingKeyPosition(last), LIMITS.pageMax),
  );
  return rows.map(describeSigningKey);
}

export function signingKeyPosition({
  created_at,
  fingerprint,
}: SigningKeyRow): SigningKeyPagePosition {
  return { createdAt: created_at, fingerprint };
}

export function describeSigningKey({
  fingerprint,
  public_key,
  ...times
}: SigningKeyRow): SigningKey {
  return {
    fingerprint,
    algorithm: SIGNATURE_ALGORITHM,
    public_key,
    created_at: formatTimestamp(times.created_at),
    retired_at: times.retired_at === null ? null : formatTimestamp(times.retired_at),
  };
}
