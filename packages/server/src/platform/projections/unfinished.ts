import sql from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../ledger.js';

/**
 * Notes that projections are being made again. Until each is finished, some of its rows may be right and others not, also
 * after the rebuild was interrupted.
 * @returns the projections of which no earlier rebuild is unfinished
 */
export async function noteUnfinished(
  tx: LedgerWriter,
  projections: readonly string[],
): Promise<Set<string>> {
  const noted = await tx.query<{ projection: string }>(sql`
    insert into unfinished_rebuilds (ledger_id, projection)
    select ${tx.ledgerId}, projection from unnest(${projections}::text[]) as made (projection)
    on conflict do nothing returning projection`);
  return new Set(noted.map(({ projection }) => projection));
}

export async function noteFinished(tx: LedgerWriter, projection: string): Promise<void> {
  await tx.query(sql`
    delete from unfinished_rebuilds
    where ledger_id = ${tx.ledgerId} and projection = ${projection}`);
}

/** The projections whose rebuild runs or was interrupted, or is due because rows that they are made of were replaced. */
export async function selectUnfinished(ledger: LedgerReader): Promise<string[]> {
  const rows = await ledger.query<{ projection: string }>(sql`
    select projection from unfinished_rebuilds
    where ledger_id = ${ledger.ledgerId} order by projection`);
  return rows.map(({ projection }) => projection);
}

/** Whether a rebuild of one of some projections runs, or was interrupted. */
export async function isUnfinished(
  ledger: LedgerReader,
  projections: readonly string[],
): Promise<boolean> {
  const rows = await ledger.query(sql`
    select from unfinished_rebuilds
    where ledger_id = ${ledger.ledgerId} and projection = any(${projections}::text[]) limit 1`);
  return rows.length > 0;
}
