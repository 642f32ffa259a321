import type pg from 'pg';
import { expect, it } from 'vitest';
import { migrate, readMigrations } from '#server/platform/migrate';
import { createDatabase, describePostgres } from '../support/postgres.js';
import { withClient } from '../support/stored-chain.js';

const LEDGER = '11111111-0000-0000-0000-000000000000';
const uuid = (kind: string, n: number) =>
  `${kind}0000000-0000-0000-0000-${String(n).padStart(12, '0')}`;

/** Event type, amount and links: type, status, strength and, of a suggestion, its identifier evidence. */
type Old = readonly [
  eventType: string,
  amount: string,
  links: readonly (readonly [type: string, status: string, strength: string, evidence?: number])[],
];

const OLD: readonly Old[] = [
  ['payment', '100.00', [['revenue', 'CONFIRMED', '0.5']]],
  ['refund', '30.00', [['refund', 'ML_INFERRED', '1']]],
  ['refund', '-30.00', [['refund', 'CONFIRMED', '0.4']]],
  ['refund_reversal', '30.00', [['refund', 'CONFIRMED', '1']]],
  ['dispute_recovery', '-30.00', [['loss', 'CONFIRMED', '1']]],
  [
    'payment',
    '10.00',
    [
      ['revenue', 'CONFIRMED', '0.5'],
      ['cost', 'CONFIRMED', '0.5'],
    ],
  ],
  ['refund', '30.00', [['refund', 'ML_SUGGESTED', '0.8', 2.5]]],
  ['refund', '30.00', [['refund', 'ML_SUGGESTED', '0.4', 2.5]]],
  ['refund', '30.00', [['refund', 'ML_SUGGESTED', '0.8', 0]]],
  ['refund', '30.00', []],
  [
    'payment',
    '0.10',
    [
      ['revenue', 'CONFIRMED', '1'],
      ['revenue', 'CONFIRMED', '1'],
      ['saving', 'CONFIRMED', '1'],
    ],
  ],
];

const COUNTED = [
  ...['100.00', '-30.00', '-30.00', '30.00', '30.00', '10.00'],
  ...['30.00', '30.00', '30.00', '30.00', '0.10'],
];

async function insertOld(client: pg.Client): Promise<void> {
  await client.query('begin');
  await client.query(
    `insert into decisions (ledger_id, seq, epoch, decision_id, agent_id, action_type, confidence,
       human_in_loop, "timestamp", created_at, entry, hash, prev_hash, terms)
     select $1, n, 1, ('d0000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid, 'agent', 'act', 1,
       false, now(), now(), '', '', n::text::bytea, '{}' from generate_series(1, 3) n`,
    [LEDGER],
  );
  await client.query(
    `insert into liability_states (ledger_id, rolled_seq, run_day, completed_day)
     values ($1, 3, '2026-04-15', '2026-04-15')`,
    [LEDGER],
  );
  let links = 0;
  for (const [index, [eventType, amount, own]] of OLD.entries()) {
    await client.query(
      `insert into financial_events (ledger_id, event_id, source, event_type, amount, currency,
         "timestamp", created_at) values ($1, $2, 'till', $3, $4::numeric, 'USD', now(), now())`,
      [LEDGER, uuid('e', index), eventType, amount],
    );
    for (const [place, [type, status, strength, evidence]] of own.entries()) {
      links += 1;
      const score = evidence === undefined ? null : { evidence: { identifiers: evidence } };
      await client.query(
        `insert into links (ledger_id, link_id, decision_id, event_id, correlation_strength,
           link_type, attribution_method, status, score, created_by, created_at)
         values ($1, $2, $3, $4, $5::numeric, $6, 'manual', $7, $8, 'test', now())`,
        [
          ...[LEDGER, uuid('a', links), uuid('d', place + 1), uuid('e', index), strength],
          ...[type, status, score && JSON.stringify(score)],
        ],
      );
    }
  }
  await client.query('commit');
}

describePostgres('The migration of signs', () => {
  it('Old events get one sign, and old links keep the direction that they counted with', async () => {
    const database = await createDatabase();
    const connection = { connectionString: database.url };
    try {
      // The role that the migrations grant to belongs to the server, not to this database.
      const other = await createDatabase();
      await migrate({ connectionString: other.url });
      await other.drop();
      const rows = await withClient(connection, async (client) => {
        const all = await readMigrations();
        await client.query(
          'create table schema_migrations (version integer, name text, checksum text)',
        );
        for (const { sql } of all.slice(0, 10)) await client.query(sql);
        await insertOld(client);
        const [signs] = all.slice(10);
        await client.query(signs?.sql ?? '');
        const read = async (text: string) =>
          (await client.query<string[]>({ text, rowMode: 'array' })).rows;
        return {
          counted: await read(
            'select counted_amount::text from financial_events order by event_id',
          ),
          links: await read('select link_type, reversal, label from links order by link_id'),
          parts: await read(`select a.label, a.amount::text from link_allocations a
            order by a.link_id`),
          states: await read('select completed_day, run_day from liability_states'),
        };
      });
      expect(rows.counted.flat()).toEqual(COUNTED);
      expect(rows.links).toEqual([
        ['revenue', false, null],
        ['refund', false, null],
        ['refund', false, null],
        ['refund', true, null],
        ['loss', true, null],
        ['revenue', false, null],
        ['cost', false, null],
        ['refund', false, 'matched'],
        ['refund', false, 'guessed'],
        ['refund', false, 'guessed'],
        ['revenue', false, null],
        ['revenue', false, null],
        ['saving', false, null],
      ]);
      expect(rows.parts).toEqual([
        ['confirmed', '50.000000000000'],
        ['confirmed', '-30.000000000000'],
        ['confirmed', '-12.000000000000'],
        ['confirmed', '30.000000000000'],
        ['confirmed', '30.000000000000'],
        ['confirmed', '5.000000000000'],
        ['confirmed', '5.000000000000'],
        ['matched', '24.000000000000'],
        ['guessed', '12.000000000000'],
        ['guessed', '24.000000000000'],
        ['confirmed', '0.033333333334'],
        ['confirmed', '0.033333333333'],
        ['confirmed', '0.033333333333'],
      ]);
      expect(rows.states).toEqual([[null, null]]);
    } finally {
      await database.drop();
    }
  });
});
