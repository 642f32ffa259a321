import pg from 'pg';
import { ownerClient } from '#server/platform/address';
import { uuidToId } from '#server/platform/ids';
import type { Scope } from '#server/platform/scope';
import type { Instance } from './service.js';

/** Runs work on the database as the owner of its tables, with rights that the service lacks. */
export async function withOwner<Result>(
  { service }: Instance,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(ownerClient(service.storage.address));
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A job of the queue of Stripe objects after its last failed try. */
export async function giveUpJob(
  bed: Instance,
  { orgId, ledgerId, mode }: Scope,
  data: { readonly object_id: string },
): Promise<string> {
  const id = bed.service.ids.uuid();
  const scope = { org_id: orgId, ledger_id: ledgerId, mode };
  await withOwner(bed, (client) =>
    client.query(
      `insert into pgboss.job (id, name, data, policy, source_name, source_id, source_created_on,
        source_retry_count, source_output)
      values ($1, 'dead-letters', $2, 'standard', 'stripe-object', gen_random_uuid(),
        now() - interval '1 hour', 8, '{"message":"it did not work"}')`,
      [id, JSON.stringify({ ...scope, ...data })],
    ),
  );
  return uuidToId('job', id);
}
