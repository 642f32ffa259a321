import type pg from 'pg';
import { withClient } from '../../support/stored-chain.js';

/** Figures and texts that occur nowhere else. */
const SAMPLED = ['sampled-announcement', '98765.43'];
const LEDGER = "'00000000-0000-7000-8000-00000000000a'";

/** Fills tables that an erasure may leave empty, lets the planner sample them, and empties them. */
export function sampleAndEmpty(owner: pg.ClientConfig): Promise<unknown> {
  return withClient(owner, (client) =>
    client.query(`
      delete from liability_history; delete from announcements;
      insert into announcements (ledger_id, seq, type, subject, data, created_at)
        select ${LEDGER}, n, 'test', 'subject', '${SAMPLED[0]}', now()
        from generate_series(1, 200) n;
      insert into liability_history (ledger_id, seq, revision, snapshot_id, estimated_at, exposure,
          low, high, own_exposure, own_low, own_high, base_rate, agent_factor, version_factor,
          confidence_factor, human_factor, loss_probability, uncertainty, is_prior, amount_at_risk,
          amount_basis, outlier, severity, severity_spread, loss_p50, loss_p95, open_share, realised,
          unconverted)
        select ${LEDGER}, n, 1, 1, now(), a, a, a, a, a, a, 0, 1, 1, 1, 1, 0, 0, false, a,
          'approved', false, 0, 0, a, a, 0, a, 0 from generate_series(1, 200) n, (values (${SAMPLED[1]})) f (a);
      analyze announcements; analyze liability_history;
      delete from liability_history; delete from announcements`),
  );
}

/** Columns whose samples still hold one of these. */
export function sampledColumns(owner: pg.ClientConfig): Promise<string[]> {
  return withClient(owner, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select tablename || '.' || attname as name from pg_stats
      where concat(most_common_vals::text, histogram_bounds::text) like any ($1) order by 1`,
      [SAMPLED.map((text) => `%${text}%`)],
    );
    return rows.map(({ name }) => name);
  });
}
