import type pg from 'pg';
import { expect } from 'vitest';
import { SCHEMA } from '../../support/postgres-names.js';
import { withClient } from '../../support/stored-chain.js';

/** The statements forbidden to the service role on each table that only grows. */
const FORBIDDEN = [
  'decisions',
  'activity',
  'chains',
  'idempotency_keys',
  'organisations',
  'ledgers',
]
  .flatMap((table) => [
    `update ${table} set ledger_id = ledger_id`,
    `delete from ${table}`,
    `truncate ${table}`,
    `drop table ${table}`,
    `alter table ${table} add column more text`,
  ])
  .map((statement) =>
    statement.replace('organisations set ledger_id = ledger_id', 'organisations set name = name'),
  );

const ALSO_FORBIDDEN = [
  'delete from chain_heads',
  'delete from api_keys',
  "update api_keys set permissions = '{}'",
  'update schema_migrations set version = version',
  `create table ${SCHEMA}.more (id integer)`,
  'update stripe_events set payload = payload',
  'update alerts set payload = payload',
  `create table ${SCHEMA}_jobs.more (id integer)`,
  'drop table job',
];

/** The only columns of money records that may change. */
const CHANGEABLE: Readonly<Record<string, readonly string[]>> = {
  financial_events: [
    ...['counted_amount', 'deleted_at', 'kind', 'lead_id', 'standing', 'superseded_by'],
    ...['may_include_tax', 'uncounted_amount'],
  ],
  links: [
    ...['correlation_strength', 'deleted_at', 'reviewed_at', 'reviewed_by'],
    ...['score', 'status', 'review_priority', 'label'],
  ],
  stripe_events: [],
  decision_features: ['says_it_failed'],
  link_reviews: [],
  event_reviews: [],
  event_observations: [],
  attribution_drifts: [],
  attribution_models: [],
  experiment_assignments: [],
  running_costs: [],
  liability_snapshots: [],
  liability_history: [],
  liability_estimates: [
    ...['revision', 'snapshot_id', 'estimated_at', 'exposure', 'low', 'high', 'base_rate'],
    ...['confidence_factor', 'human_factor', 'loss_probability', 'amount_at_risk', 'amount_basis'],
    ...['severity', 'stake', 'open_share', 'realised', 'unconverted'],
    ...['provenance', 'stated_amount', 'stated_currency', 'variant', 'denied', 'reading'],
    ...['outlier', 'own_currency'],
    ...['own_exposure', 'own_low', 'own_high', 'agent_factor', 'version_factor', 'uncertainty'],
    ...['is_prior', 'severity_spread', 'loss_p50', 'loss_p95', 'events', 'sizes'],
  ],
  liability_forecasts: [],
  liability_drifts: [],
  exposure_days: [],
  closed_months: [],
  month_restatements: [],
  signing_keys: ['private_key', 'retired_at'],
  exports: [
    ...['status', 'decisions', 'total', 'written', 'failures', 'reason', 'completed_at'],
    ...['expires_at', 'activity_seq', 'file', 'bytes', 'sha256', 'key_fingerprint'],
    'filter',
  ],
  alerts: ['claimed_at', 'delivered_at'],
  tlogs: ['size', 'frontier', 'closed_at', 'rebuilt_at', 'fault'],
  tlog_keys: ['private_key'],
  checkpoints: [],
  export_checkpoints: [],
  uploads: ['field', 'received', 'seq', 'value'],
  upload_chunks: [],
};

/** Over a connection that already acts as `ledger_app`, or after `set role`. */
export async function expectAppendOnly(
  connection: pg.ClientConfig,
  setRole: boolean,
): Promise<void> {
  await withClient(connection, async (client) => {
    if (setRole) await client.query('set role ledger_app');
    const { rows } = await client.query('select current_user as name');
    expect(rows).toEqual([{ name: 'ledger_app' }]);
    for (const statement of [...FORBIDDEN, ...ALSO_FORBIDDEN]) {
      await expect(client.query(statement), statement).rejects.toMatchObject({ code: '42501' });
    }
    await expectNoRemoval(client);
    for (const [table, columns] of Object.entries(CHANGEABLE)) {
      await expectChangeable(client, table, columns);
    }
  });
}

/** Derived from other tables, kept for some days only, or consumed once. */
const PASSING = [
  ...['agent_patterns', 'link_allocations', 'announcements', 'token_frequencies'],
  ...['stream_tickets', 'decision_tokens', 'event_tokens', 'due_work', 'exposure_cells'],
  ...['added_reports', 'former_counts', 'money_keys', 'same_money', 'span_groups'],
];

/** For every table, those of later migrations included. */
async function expectNoRemoval(client: pg.Client): Promise<void> {
  const tables = await namesOf(
    client,
    `select tablename as name from pg_tables where schemaname = '${SCHEMA}' order by 1`,
  );
  expect(tables).toEqual(expect.arrayContaining(['decisions', 'financial_events', 'links']));
  for (const table of tables.filter((name) => !PASSING.includes(name))) {
    for (const statement of [`delete from ${table}`, `truncate ${table}`, `drop table ${table}`]) {
      await expect(client.query(statement), statement).rejects.toMatchObject({ code: '42501' });
    }
  }
}

async function expectChangeable(
  client: pg.Client,
  table: string,
  changeable: readonly string[],
): Promise<void> {
  const columns = await namesOf(
    client,
    `select attname as name from pg_attribute
      where attrelid = '${table}'::regclass and attnum > 0 order by 1`,
  );
  expect(columns).toEqual(expect.arrayContaining([...changeable]));
  for (const column of columns) {
    const statement = `update ${table} set "${column}" = null where false`;
    const answer = client.query(statement);
    if (changeable.includes(column)) await answer;
    else await expect(answer, statement).rejects.toMatchObject({ code: '42501' });
  }
}

async function namesOf(client: pg.Client, text: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(text);
  return rows.map(({ name }) => name);
}
