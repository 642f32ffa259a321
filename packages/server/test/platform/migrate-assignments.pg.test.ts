import type { JsonValue } from '@decision-ledger/proof/gate';
import { expect, it } from 'vitest';
import { readAssignment } from '#server/domains/record/decisions/rules/assignment';
import { migrate, readMigrations } from '#server/platform/migrate';
import { createDatabase, describePostgres } from '../support/postgres.js';
import { withClient } from '../support/stored-chain.js';

const LEDGER = '11111111-0000-0000-0000-000000000000';
const arm = 'b';

/** `metadata.experiment` of decisions of a former release. */
const MARKS: readonly JsonValue[] = [
  { id: 'prompt', arm },
  { id: 'prompt', arm, propensity: 0.25 },
  { id: 'prompt', arm, propensity: 1 },
  { id: 'prompt', arm, propensity: 5e-324 },
  { id: 'prompt', arm, propensity: null },
  ...[0, -0.5, 1.5, '0.5', true, [], {}].map((propensity) => ({ id: 'prompt', arm, propensity })),
  { id: 'prompt' },
  { id: 'prompt', arm: null },
  { id: 'prompt', arm: 7 },
  { id: 'prompt', arm: '' },
  { id: '', arm },
  { id: 7, arm },
  { arm },
  { id: 'x'.repeat(200), arm: 'y'.repeat(200) },
  { id: 'x'.repeat(201), arm },
  { id: 'prompt', arm: 'y'.repeat(201) },
  { id: '😀'.repeat(200), arm: 'ü' },
  { id: '😀'.repeat(201), arm },
  { id: 'with "quotes" and \\ and \n', arm },
  ...[null, 'prompt', 7, true, [], {}, [{ id: 'prompt', arm }]],
];

const METADATA: readonly JsonValue[] = [
  ...MARKS.map((experiment) => ({ customer: 'c', experiment })),
  { nested: { experiment: { id: 'prompt', arm } } },
  { note: '"experiment":{"id":"prompt","arm":"b"}' },
  {},
];

describePostgres('Assignments of former releases', () => {
  it('The migration assigns earlier decisions as the service assigns new ones', async () => {
    const database = await createDatabase();
    const connection = { connectionString: database.url };
    try {
      await migrate(connection);
      const migration = (await readMigrations()).find(({ name }) => name.startsWith('0024'));
      await withClient(connection, async (client) => {
        for (const [index, metadata] of METADATA.entries()) {
          await client.query(
            `insert into decisions (ledger_id, seq, epoch, decision_id, agent_id, action_type, confidence,
               human_in_loop, "timestamp", created_at, entry, hash, prev_hash, terms, metadata)
             values ($1, $2::bigint, 1, gen_random_uuid(), 'agent', 'act', 1, false, '2026-04-16T09:30:00Z',
               now(), '', '', $2::text::bytea, '{}', $3)`,
            [LEDGER, index + 1, JSON.stringify(['AAAAAAAAAAAAAAAAAAAAAA', 'metadata', metadata])],
          );
        }
        // Of a decision that was recorded since.
        await client.query(
          `insert into experiment_assignments (ledger_id, seq, experiment_id, arm, is_valid, "timestamp")
           values ($1, 1, 'prompt', 'b', true, '2026-04-16T09:30:00Z')`,
          [LEDGER],
        );
      });
      const rows = await withClient(connection, async (client) => {
        await client.query(migration?.sql ?? '');
        const found = await client.query(
          `select seq::int, experiment_id, arm, propensity, is_valid from experiment_assignments
           where "timestamp" = '2026-04-16T09:30:00Z' order by seq`,
        );
        return found.rows;
      });
      const expected = METADATA.flatMap((metadata, index) => {
        const read = readAssignment(metadata as Parameters<typeof readAssignment>[0]);
        if (read === null) return [];
        const { experimentId, arm: named, propensity, isValid } = read;
        const row = { experiment_id: experimentId, arm: named, propensity, is_valid: isValid };
        return [{ seq: index + 1, ...row }];
      });
      expect(rows).toEqual(expected);
      expect(rows).toHaveLength(MARKS.length);
    } finally {
      await database.drop();
    }
  });
});
