import type { Me } from '@decision-ledger/contract/access';
import { LIMITS } from '@decision-ledger/contract/limits';
import { PERMISSIONS } from '@decision-ledger/contract/permissions';
import type { Settings } from '@decision-ledger/contract/settings';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { keyOf, type Principal } from '../../../platform/principal.js';
import { findKey } from '../keys/index.js';
import { selectOrganisation } from './store/organisations.js';

/** Describes a caller with a key or a session. */
export async function describeCaller(
  ledger: LedgerReader,
  principal: Principal,
  { rate_limits }: Settings,
): Promise<Me> {
  const { scope, permissions, session } = principal;
  const { key_id, name, expires_at } = await findKey(ledger, keyOf(principal));
  return {
    organisation: {
      org_id: uuidToId('org', scope.orgId),
      name: await selectOrganisation(ledger),
    },
    ledger_id: uuidToId('led', scope.ledgerId),
    mode: scope.mode,
    permissions: PERMISSIONS.filter((permission) => permissions.has(permission)),
    key: { key_id, name, expires_at },
    session:
      session === undefined
        ? null
        : {
            session_id: session.sessionId,
            name: session.name,
            expires_at: formatTimestamp(session.expiresAt),
          },
    limits: {
      rate_limits,
      body_bytes: LIMITS.bodyBytes,
      batch_body_bytes: LIMITS.batchBodyBytes,
      batch_decisions: LIMITS.batchDecisions,
      payload_field_bytes: LIMITS.payloadFieldBytes,
      page_max: LIMITS.pageMax,
    },
  };
}
