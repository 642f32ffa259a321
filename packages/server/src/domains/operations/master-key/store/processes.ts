import sql from 'sql-template-tag';
import type { Queryable } from '../../../../platform/database.js';
import type { Scope } from '../../../../platform/scope.js';

export interface OtherProcess {
  /** Of the client, as far as the server tells it. */
  readonly address: string;
  readonly connections: number;
}

/** Processes of the service on this database whose connections do not name a master key. */
export async function selectProcessesWithout(
  db: Queryable,
  keyId: string,
): Promise<OtherProcess[]> {
  return db.query<OtherProcess>(sql`
    select coalesce(host(client_addr), 'a local socket') as address, count(*)::integer as connections
    from pg_stat_activity
    where datname = current_database() and application_name like 'decision-ledger%'
      and application_name not in ('decision-ledger migrate', 'decision-ledger news')
      and position(${keyId}::text in application_name) = 0
    group by 1 order by 1`);
}

/** Every ledger of the installation, in the order of their ids. */
export async function selectAllLedgers(db: Queryable): Promise<Scope[]> {
  return db.query<Scope>(sql`
    select org_id as "orgId", ledger_id as "ledgerId", mode from ledgers order by ledger_id`);
}
