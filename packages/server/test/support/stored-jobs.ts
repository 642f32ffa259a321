import pg from 'pg';
import { readConfig } from '#server/config';
import { selectLedgers } from '#server/domains/access/organisations/index';
import { ownerLogin } from '#server/platform/connection';
import { uuidToId } from '#server/platform/ids';
import { type Scope, toScope } from '#server/platform/principal';
import { openService } from '#server/service';
import type { Instance } from './service.js';

/** Runs work on the database as the owner of its tables, with rights that the service lacks. */
export async function withOwner<Result>(
  { service }: Pick<Instance, 'service'>,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(ownerLogin(service.storage.address).client);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A job of the queue of Stripe objects after its last failed try. */
export async function giveUpJob(
  bed: Pick<Instance, 'service'>,
  { orgId, ledgerId, mode }: Scope,
  data: { readonly object_id: string },
): Promise<string> {
  const id = bed.service.ids.uuid();
  const scope = { org_id: orgId, ledger_id: ledgerId, mode };
  await withOwner(bed, (client) =>
    client.query(
      `insert into job (id, name, data, policy, source_name, source_id, source_created_on,
        source_retry_count, source_output)
      values ($1, 'dead-letters', $2, 'standard', 'stripe-object', gen_random_uuid(),
        now() - interval '1 hour', 8, '{"message":"it did not work"}')`,
      [id, JSON.stringify({ ...scope, ...data })],
    ),
  );
  return uuidToId('job', id);
}

/** Puts a job that failed too often into a mode's ledger of a data folder, beside the service that runs on it. */
export async function giveUpJobIn(
  dataDir: string,
  mode: Scope['mode'],
  object_id: string,
): Promise<void> {
  const fail = (error: Error) => {
    throw error;
  };
  const service = await openService(readConfig({ LEDGER_DATA_DIR: dataDir }), {
    ...{ share: true, onConnectionError: fail, onEngineFailure: fail },
  });
  try {
    const ledger = (await selectLedgers(service.installation)).find((one) => one.mode === mode);
    if (ledger === undefined) throw new Error(`there is no ${mode} ledger`);
    await giveUpJob({ service }, toScope(ledger), { object_id });
  } finally {
    await service.close();
  }
}
