import { rm } from 'node:fs/promises';
import { decodeBase64 } from '@decision-ledger/proof/tlog/base64';
import { recordActivity } from '#server/domains/log/activity/index';
import type { Scope } from '#server/platform/principal';
import type { Instance } from '../../support/service.js';
import { withOwner } from '../../support/stored-jobs.js';

/** Sets the time of the next record of a ledger: the clock never goes back behind a head. */
export async function setTime(bed: Instance, { ledgerId }: Scope, time: string): Promise<void> {
  await withOwner(bed, (client) =>
    client.query('update chain_heads set created_at = $2 where ledger_id = $1', [ledgerId, time]),
  );
}

export type Chain = 'decisions' | 'activity';

/**
 * Cuts a chain off after a record, with everything that shows what followed, as the owner of the database
 * can, and forgets what this machine signed. The key of its log stays.
 */
export async function cutChain(
  bed: Instance,
  { ledgerId }: Scope,
  chain: Chain,
  last: number,
): Promise<void> {
  await withOwner(bed, async (client) => {
    await client.query('set session_replication_role = replica');
    const parents = chain === 'decisions' ? ['decisions'] : ['financial_events', 'links'];
    const dependents = await client.query<{ name: string }>(
      `select distinct r.conrelid::regclass::text as name from pg_constraint r
      where r.contype = 'f' and r.confrelid::regclass::text = any($1)`,
      [parents],
    );
    const tables = dependents.rows.map(({ name }) => name);
    if (chain === 'activity') tables.push(...parents);
    for (const table of tables)
      await client.query(`delete from ${table} where ledger_id = $1`, [ledgerId]);
    await client.query(`delete from ${chain} where ledger_id = $1 and seq > $2`, [ledgerId, last]);
    await client.query(
      `update chain_heads h set seq = $3, hash = coalesce(
        (select r.hash from ${chain} r where r.ledger_id = $1 and r.seq = $3),
        (select c.genesis_hash from chains c where c.ledger_id = $1 and c.chain = $2))
      where h.ledger_id = $1 and h.chain = $2`,
      [ledgerId, chain, last],
    );
    for (const table of ['export_checkpoints', 'checkpoints', 'tlog_tiles']) {
      await client.query(`delete from ${table} where ledger_id = $1 and chain = $2`, [
        ledgerId,
        chain,
      ]);
    }
    await client.query(
      `update tlogs set size = 0, frontier = '', fault = null where ledger_id = $1 and chain = $2`,
      [ledgerId, chain],
    );
    await client.query('delete from follower_positions where ledger_id = $1 and log = $2', [
      ledgerId,
      chain,
    ]);
  });
  await rm(bed.service.signedNotes.folder, { recursive: true, force: true });
}

/** Chains the record of a checkpoint of the decisions that an activity chain lost. */
export async function nameCheckpoint(
  { service }: Instance,
  scope: Scope,
  note: string,
): Promise<void> {
  const [origin = '', size = '', root = ''] = note.split('\n');
  if (decodeBase64(root).length !== 32) throw new Error('the note has no root');
  await service.db.ledger(scope).write((tx) =>
    recordActivity(tx, {
      type: 'checkpoint.signed',
      actor: 'engine',
      subject: origin,
      data: { origin, size: Number(size), root },
    }),
  );
}
