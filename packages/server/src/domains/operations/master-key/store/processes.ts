import sql from 'sql-template-tag';
import type { Queryable } from '../../../../platform/statement.js';

export interface OtherProcess {
  /** Address of the client, if PostgreSQL reports one. */
  readonly address: string;
  readonly connections: number;
}

/** Processes of the service on this database whose connections do not name a given master key. */
export async function selectProcessesWithout(
  db: Queryable,
  keyId: string,
): Promise<OtherProcess[]> {
  return db.query<OtherProcess>(sql`
    select coalesce(host(client_addr), 'a local socket') as address, count(*)::integer as connections
    from pg_stat_activity
    where datname = current_database() and application_name like 'decision-ledger%'
      and application_name not in ('decision-ledger migrate', 'decision-ledger pooled')
      and position(${keyId}::text in application_name) = 0
    group by 1 order by 1`);
}
