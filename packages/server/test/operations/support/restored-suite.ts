import { ActivityPage } from '@decision-ledger/contract/chain';
import { DecisionReceipt } from '@decision-ledger/contract/decision';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Caller, createCaller } from '../../support/caller.js';
import { decision } from '../../support/client.js';
import {
  type Environment,
  type Keys,
  runCommand,
  type ServiceProcess,
  startService,
} from '../../support/service-process.js';

/** A ledger that was restored from a backup, and what it lacks. */
export interface Older {
  readonly environment: Environment;
  readonly keys: Keys;
  /** Of the last decision in the backup. */
  readonly kept: DecisionReceipt;
  /** Of the last decision that there was. */
  readonly lost: DecisionReceipt;
}

/** Appends a decision over HTTP. */
export async function append(
  caller: Caller,
  headers: Readonly<Record<string, string>> = {},
): Promise<DecisionReceipt> {
  const reply = await caller.call('POST', '/api/v1/decisions', decision(), headers);
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return Parse(Type.Object({ data: DecisionReceipt }), reply.body).data;
}

const expecting = ({ seq, hash }: Pick<DecisionReceipt, 'seq' | 'hash'>) => [
  ...['--expect-seq', String(seq), '--expect-hash', hash],
];

/** What an operator does about a ledger that was restored from an older backup. */
export function restoredSuite(open: () => Promise<Older>): void {
  let older: Older;
  let ledger: string;
  let service: ServiceProcess | null = null;
  const run = (...args: string[]) => runCommand(args, older.environment);
  const inTest = (...args: string[]) => run('restored', '--ledger', ledger, ...args);
  beforeAll(async () => {
    older = await open();
    const { stdout } = await run('org', 'list', '--json');
    const [organisation] = JSON.parse(stdout).organisations;
    const isTest = ({ mode }: { mode: string }) => mode === 'test';
    ledger = organisation.ledgers.find(isTest).ledger_id;
  });
  afterAll(() => service?.stop());

  it('The ledger and the decision must be stated exactly', async () => {
    const { kept } = older;
    const unclear = await run('restored', ...expecting(kept));
    expect(unclear.code).toBe(2);
    expect(unclear.stderr).toContain(`select one ledger with --ledger: `);
    const nothing = await run('restored');
    expect(nothing.stderr).toContain('pass --expect-seq and --expect-hash');
    const half = await inTest('--expect-seq', '3');
    expect({ code: half.code, text: half.stderr }).toEqual({
      code: 2,
      text: expect.stringContaining('required together'),
    });
    const none = await inTest('--accept-loss', 'because');
    expect(none.stderr).toContain('no loss is known');
    const fork = await inTest(...expecting(kept), '--accept-fork');
    expect(fork.stderr).toContain('--accept-fork belongs to --accept-loss');
  });

  it('A decision that is there is found, and the service starts', async () => {
    const { code, stdout } = await inTest(...expecting(older.kept), '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ ledger, is_missing: false });
  });

  it('A hash that differs is named, and withdrawn once the right one is given', async () => {
    const wrong = 'ab'.repeat(32);
    const { code, stdout } = await inTest(...expecting({ seq: older.kept.seq, hash: wrong }));
    expect(code).toBe(1);
    expect(stdout).toContain(`has the hash ${older.kept.hash} instead of ${wrong}`);
    expect((await inTest(...expecting(older.kept))).code).toBe(0);
    expect((await run('key', 'list', '--mode', 'test')).code).toBe(0);
  });

  it('Missing decisions are counted, and nothing is served or recorded without them', async () => {
    const { kept, lost } = older;
    const { code, stdout } = await inTest(...expecting(lost), '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      ...{ ledger, is_missing: true, is_accepted: false, actual_hash: null },
      ...{ from_seq: kept.seq, from_hash: kept.hash, missing: lost.seq - kept.seq },
      ...{ expected_seq: lost.seq, expected_hash: lost.hash },
    });
    const issue = ['key', 'create', '--mode', 'test', '--name', 'x', '--permissions', 'read'];
    for (const refused of [await run('serve'), await run(...issue)]) {
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain(`restored --ledger ${ledger} --accept-loss REASON`);
    }
    const verified = await run('verify', '--json');
    expect(JSON.parse(verified.stdout)).toMatchObject({ is_valid: true });
  });

  it('An accepted loss is the next record of the activity, and the service goes on', async () => {
    const { kept, lost, keys } = older;
    const { code } = await inTest('--accept-loss', 'the disk failed');
    expect(code).toBe(0);
    service = await startService(older.environment);
    const caller = createCaller(service.url, keys.test);
    const next = await append(caller);
    expect(next).toMatchObject({ seq: kept.seq + 1, prev_hash: kept.hash });
    const { body } = await caller.call('GET', '/api/v1/activity?type=ledger.restored');
    const { activity } = Parse(Type.Object({ data: ActivityPage }), body).data;
    expect(activity).toMatchObject([
      {
        ...{ actor: 'operator', subject: ledger },
        data: {
          ...{ from_seq: kept.seq, from_hash: kept.hash, accepts_fork: false },
          ...{ expected_seq: lost.seq, expected_hash: lost.hash, reason: 'the disk failed' },
        },
      },
    ]);
    caller.close();
  });
}
