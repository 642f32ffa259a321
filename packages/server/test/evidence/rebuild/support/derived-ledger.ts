import { IssuedKey } from '@decision-ledger/contract/access';
import { DecisionBatchReceipt } from '@decision-ledger/contract/decision';
import { signRound } from '#server/domains/evidence/transparency/index';
import { suggestNow } from '#server/domains/judgement/attribution/index';
import { dataOf, decision } from '../../../support/client.js';
import { followLogs } from '../../../support/followers.js';
import { recordEvent } from '../../../support/money.js';
import type { TestService } from '../../../support/service.js';
import { type FullLedger, fullLedger } from '../../reconciliation/support/full-ledger.js';

/** Enough records for tiles of the first level in the logs of both chains. */
const BATCHES = 3;
const BATCH = 100;

/** A ledger on which every derived table has rows: features and scores as well, and trees with tiles. */
export async function derivedLedger(bed: TestService): Promise<FullLedger> {
  const ledger = await fullLedger(bed);
  const { client, scope } = ledger;
  await client.patch('/settings', { rate_limits: { exports_per_hour: 1000 } });
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const decisions = Array.from({ length: BATCH }, (_, n) => {
      const order = `order-${batch}-${n}`;
      const fields = { metadata: { order_id: order, tier: n % 3 }, inputs: { order, note: 'x' } };
      return decision({ ...fields, agent_id: `agent-${n % 4}` });
    });
    dataOf(await client.post('/decisions/batch', { decisions }), DecisionBatchReceipt, 201);
  }
  // Each names the order of one decision, which identifies it.
  for (let n = 0; n < 5; n += 1) {
    await recordEvent(client, {
      external_id: `order-1-${n}`,
      metadata: { order_id: `order-1-${n}` },
    });
  }
  const own = bed.service.db.ledger(scope);
  const { signal } = new AbortController();
  // What was scored is chained, until the log of the activity has tiles too.
  for (let n = 0; n < 130; n += 1) {
    const body = { name: 'k', permissions: ['read'] };
    const key = dataOf(await client.post('/keys', body), IssuedKey, 201);
    await client.delete(`/keys/${key.key_id}`);
  }
  await suggestNow(own, bed.service.hooks, signal);
  await followLogs(bed.service);
  await signRound(own, bed.service, signal);
  return ledger;
}
