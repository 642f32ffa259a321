import type { Mode } from '@decision-ledger/contract/permissions';
import { formatTimestamp } from '@decision-ledger/contract/time';
import sql from 'sql-template-tag';
import { uuidToId } from '../platform/ids.js';
import { type Installation, instant, type Queryable } from '../platform/statement.js';
import type { CertifiedLedger } from './certificate.js';

/** What the database says of its installation. */
export interface StoredInstallation {
  /** UUID; null before the first organisation. */
  readonly id: string | null;
  /** ms */
  readonly createdAt: number;
  readonly ledgers: CertifiedLedger[];
}

interface LedgerRow {
  readonly ledger_id: string;
  readonly org_id: string;
  readonly name: string;
  readonly mode: Mode;
  readonly created_at: number;
  readonly decisions: string;
  readonly activity: string;
}

/** All ledgers of the installation: only for the operator. */
export async function selectInstallation(installation: Installation): Promise<StoredInstallation> {
  const [row] = await installation.queryAcross<{ id: string; createdAt: number }>(sql`
    select installation_id as id, (extract(epoch from created_at) * 1000)::bigint as "createdAt" from installation`);
  const rows = await installation.queryAcross<LedgerRow>(sql`
    select l.ledger_id, l.org_id, o.name, l.mode, (extract(epoch from l.created_at) * 1000)::bigint as created_at,
      encode(d.genesis_hash, 'hex') as decisions, encode(a.genesis_hash, 'hex') as activity
    from ledgers l join organisations o on o.org_id = l.org_id
    join chains d on d.ledger_id = l.ledger_id and d.chain = 'decisions'
    join chains a on a.ledger_id = l.ledger_id and a.chain = 'activity'
    order by o.created_at, o.org_id, l.mode`);
  return { id: row?.id ?? null, createdAt: row?.createdAt ?? 0, ledgers: rows.map(toCertified) };
}

function toCertified(row: LedgerRow): CertifiedLedger {
  return {
    ledger: uuidToId('led', row.ledger_id),
    organisation: uuidToId('org', row.org_id),
    organisation_name: row.name,
    mode: row.mode,
    created_at: formatTimestamp(row.created_at),
    genesis: { decisions: row.decisions, activity: row.activity },
  };
}

/** Names the installation, unless another process did. @param now ms */
export async function insertInstallation(tx: Queryable, id: string, now: number): Promise<void> {
  await tx.query(sql`
    insert into installation (installation_id, created_at) values (${id}, ${instant(now)})
    on conflict do nothing`);
}

/** Held until the transaction ends: of two processes, the later one writes what both have made. */
export async function lockCertificates(tx: Queryable): Promise<void> {
  await tx.query(sql`
    select pg_advisory_xact_lock(hashtextextended('certificates ' || current_schema(), 0))`);
}
