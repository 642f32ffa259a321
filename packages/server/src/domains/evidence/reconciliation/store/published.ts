import { formatTimestamp } from '@decision-ledger/contract/time';
import { parseJson } from '@decision-ledger/proof/gate';
import { sha256Hex } from '@decision-ledger/proof/hash';
import { briefText } from '@decision-ledger/proof/replay/state';
import sql from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import type { Scope } from '../../../../platform/principal.js';
import type { Queryable } from '../../../../platform/statement.js';

/** A row of a table that is only added to: its columns as brief texts. */
export interface PublishedRow {
  readonly key: string;
  readonly columns: ReadonlyMap<string, string>;
}

/** The models of attribution, by number. The digest of a snapshot stands for it. */
export async function selectModels(ledger: LedgerReader): Promise<PublishedRow[]> {
  const rows = await ledger.query<{
    model_id: number;
    version: string;
    sha256: string;
    at: number;
  }>(sql`
    select model_id, version, encode(sha256(convert_to(snapshot, 'UTF8')), 'hex') as sha256,
      (extract(epoch from created_at) * 1000)::bigint as at
    from attribution_models where ledger_id = ${ledger.ledgerId} order by attribution_models.model_id`);
  return rows.map(({ model_id, version, sha256, at }) => ({
    key: String(model_id),
    columns: new Map([
      ['version', briefText(version)],
      ['snapshot', briefText(sha256)],
      ['created_at', briefText(formatTimestamp(at))],
    ]),
  }));
}

/** The restatements of closed months, by month and time. */
export async function selectPublishedRestatements(ledger: LedgerReader): Promise<PublishedRow[]> {
  const rows = await ledger.query<{
    readonly month: string;
    readonly at: number;
    readonly activity_seq: number;
    readonly activity_hash: string;
    readonly figures: string;
    readonly changes: string;
    readonly explanation: string;
  }>(sql`
    select month, (extract(epoch from restated_at) * 1000)::bigint as at, activity_seq,
      encode(activity_hash, 'hex') as activity_hash, figures, changes, explanation
    from month_restatements where ledger_id = ${ledger.ledgerId}
    order by month_restatements.month, restated_at`);
  return rows.map(({ month, at, activity_seq, activity_hash, ...texts }) => ({
    key: `${month} ${formatTimestamp(at)}`,
    columns: new Map([
      ['activity_seq', briefText(activity_seq)],
      ['activity_hash', briefText(activity_hash)],
      ['figures', jsonText(texts.figures)],
      ['changes', jsonText(texts.changes)],
      ['explanation', jsonText(texts.explanation)],
    ]),
  }));
}

/** The signing keys of an organisation, by fingerprint. */
export async function selectPublishedSigningKeys(
  db: Queryable,
  { orgId }: Pick<Scope, 'orgId'>,
): Promise<PublishedRow[]> {
  const rows = await db.query<{
    readonly fingerprint: string;
    readonly public_key: string;
    readonly is_retired: boolean;
  }>(sql`
    select fingerprint, public_key, retired_at is not null as is_retired
    from signing_keys where org_id = ${orgId} order by signing_keys.fingerprint`);
  return rows.map(({ fingerprint, public_key, is_retired }) => ({
    key: fingerprint,
    columns: new Map([
      ['public_key', briefText(public_key)],
      ['retired_at', is_retired ? 'set' : 'not set'],
    ]),
  }));
}

function jsonText(text: string): string {
  try {
    return briefText(parseJson(text));
  } catch {
    return `sha256:${sha256Hex(text)}`;
  }
}

export interface SettingsRow {
  readonly document: string;
  /** ms. */
  readonly updated_at: number;
}

export async function selectSettingsRow(ledger: LedgerReader): Promise<SettingsRow | null> {
  const [row] = await ledger.query<SettingsRow>(sql`
    select document, (extract(epoch from updated_at) * 1000)::bigint as updated_at
    from settings where ledger_id = ${ledger.ledgerId}`);
  return row ?? null;
}
