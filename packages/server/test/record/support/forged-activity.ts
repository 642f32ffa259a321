import { formatTimestamp } from '@decision-ledger/contract/time';
import { commitmentOf, disclosureText } from '@decision-ledger/proof/commitment';
import { activityEntry } from '@decision-ledger/proof/entry';
import { leafHash } from '@decision-ledger/proof/hash';
import { insertActivities } from '#server/domains/log/activity/store/activity';
import { lockHead, moveHead } from '#server/platform/chain/head';
import { uuidToId } from '#server/platform/ids';
import type { Scope } from '#server/platform/principal';
import type { Instance } from '../../support/service.js';

/**
 * Appends a record of erased fields with the rights of the service's role: chained correctly, with
 * any text in place of canonical JSON.
 */
export async function forgeErasure(
  { service }: Instance,
  scope: Scope,
  subject: string,
  text: string,
): Promise<void> {
  const about = { type: 'decision.field_erased', actor: 'operator', subject };
  await service.db.ledger(scope).write(async (tx) => {
    const head = await lockHead(tx, 'activity');
    const { epoch, hash: prevHash, now: createdAt } = head;
    const [seq, activityId] = [head.seq + 1, service.ids.uuid()];
    const data = disclosureText('A'.repeat(22), 'data', text);
    const entry = activityEntry({
      ...{ ledger: uuidToId('led', scope.ledgerId), epoch, seq, prev_hash: prevHash },
      ...{ activity_id: uuidToId('act', activityId), created_at: formatTimestamp(createdAt) },
      ...{ ...about, commitments: { data: commitmentOf(data) } },
    });
    const hash = leafHash(entry);
    const row = { seq, epoch, activityId, createdAt, entry, hash, prevHash, data, when: null };
    await insertActivities(tx, [{ ...row, ...about }]);
    await moveHead(tx, 'activity', { seq, hash, createdAt });
  });
}
