import { IssuedKey } from '@decision-ledger/contract/access';
import { Link } from '@decision-ledger/contract/link';
import { uuidToId } from '#server/platform/ids';
import { round } from '../../evidence/support/log-tools.js';
import { type Client, dataOf } from '../../support/client.js';
import { decide } from '../../support/estimates.js';
import { askFor, make } from '../../support/exports.js';
import { link, recordEvent } from '../../support/money.js';
import { scopeOf, type TestService } from '../../support/service.js';
import { upload } from '../../support/uploads.js';

/** Stands in everything that the ledger of `recordedTenant` holds. */
export const MARK = 'the-secret-of-the-first-tenant';

export interface RecordedTenant {
  readonly client: Client;
  /** What the paths of the API name: records of this tenant, for `describedRequests`. */
  readonly values: Readonly<Record<string, string>>;
}

/** A tenant with a record of each kind, with logs that are public and an export that is complete. */
export async function recordedTenant(bed: TestService): Promise<RecordedTenant> {
  const { live: client } = await bed.organisation();
  await client.patch('/settings', { transparency: { public: 'tree' } });
  // What requests say is repeated in answers to anybody, so it is something else.
  const [action_type, experiment] = ['payout', 'exp-1'];
  const metadata = { experiment: { id: experiment, arm: 'a' }, note: MARK };
  const outputs = { $upload: await upload(client, Buffer.from(MARK), 'text/plain') };
  const { decision_id } = await decide(client, { agent_id: MARK, action_type, metadata, outputs });
  const paid = await recordEvent(client, { source: MARK });
  const made = dataOf(await client.post('/links', link(decision_id, paid.id)), Link, 201);
  const key = dataOf(
    await client.post('/keys', { name: MARK, permissions: ['read'] }),
    IssuedKey,
    201,
  );
  const { export_id } = await askFor(client);
  await make(bed, client, export_id);
  await round(bed, client);
  const { ledgerId } = await scopeOf(bed, client);
  return {
    client,
    values: {
      'decisions/id': decision_id,
      'financial-events/id': paid.id,
      'links/id': made.id,
      'exports/id': export_id,
      'keys/id': key.key_id,
      'uploads/id': outputs.$upload,
      ...{ decision_id, field: 'outputs', offset: '0' },
      'experiments/id': experiment,
      'logs/ledger': uuidToId('led', ledgerId),
      chain: 'decisions',
      'tile/path': '0/000.p/1',
      ...{ q: action_type, action_type, first: '0', second: '1' },
      // Of these there are none: what matters is what the address is answered.
      ...{ id: 'none', agent_id: 'none' },
    },
  };
}
