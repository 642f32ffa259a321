import sql from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import type { Installation } from '../../../../platform/statement.js';

/** @returns JSON text of the settings that differ from the defaults, or null */
export async function selectSettings(ledger: LedgerReader): Promise<string | null> {
  const [row] = await ledger.query<{ document: string }>(sql`
    select document from settings where ledger_id = ${ledger.ledgerId}`);
  return row?.document ?? null;
}

/** The same of any ledger. @param ledgerId UUID */
export async function selectSettingsOf(
  installation: Installation,
  ledgerId: string,
): Promise<string | null> {
  const [row] = await installation.queryAcross<{ document: string }>(sql`
    select document from settings where ledger_id = ${ledgerId}`);
  return row?.document ?? null;
}

/** A preflight is answered for so many origins of the installation. */
const MOST_ORIGINS = 10_000;

/** The origins of `cors.origins` of all ledgers. */
export async function selectEveryOrigin(installation: Installation): Promise<string[]> {
  const rows = await installation.queryAcross<{ origin: string }>(sql`
    select distinct o.origin
    from settings s
    cross join lateral jsonb_array_elements_text(s.document::jsonb #> '{cors,origins}') o (origin)
    where s.document like '%"cors"%'
    order by o.origin
    limit ${MOST_ORIGINS}`);
  return rows.map(({ origin }) => origin);
}

/** @param document JSON text */
export async function upsertSettings(
  tx: LedgerWriter,
  document: string,
  updatedAt: number,
): Promise<void> {
  await tx.query(sql`
    insert into settings (ledger_id, document, updated_at)
    values (${tx.ledgerId}, ${document}, to_timestamp(${updatedAt}::bigint / 1000.0))
    on conflict (ledger_id) do update
      set document = excluded.document, updated_at = excluded.updated_at`);
}

/** Replaces the stored text without a change of the settings. */
export async function updateDocument(tx: LedgerWriter, document: string): Promise<void> {
  await tx.query(sql`update settings set document = ${document} where ledger_id = ${tx.ledgerId}`);
}
