import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestService, scopeOf, type TestService } from '../../server/test/support/service.js';
import { withOwner } from '../../server/test/support/stored-jobs.js';
import { decision } from './support/decisions.js';
import { type ClientOptions, openClient } from './support/open-client.js';

let bed: TestService;
let root: string;

beforeAll(async () => {
  bed = await openTestService('embedded');
  root = mkdtempSync(join(tmpdir(), 'ledger-client-'));
});
afterAll(async () => {
  await bed.close();
  rmSync(root, { recursive: true, force: true });
});

const open = (options: ClientOptions) => openClient(bed, options);

it('A ledger whose end was cut between two processes is found out by the second one alone', async () => {
  const { live } = await bed.organisation();
  const { ledgerId } = await scopeOf(bed, live);
  const outbox = join(root, 'outbox');
  const first = open({ key: live.key, outbox });
  for (let n = 1; n <= 5; n += 1) first.record(decision(n));
  await first.close();

  // An owner of the database removes the last two records, and every trace of them in the head.
  await withOwner(bed, async (owner) => {
    const values = [ledgerId];
    await owner.query('delete from decisions where ledger_id = $1 and seq > 3', values);
    await owner.query(
      `update chain_heads h set seq = 3, hash = d.hash, created_at = d.created_at from decisions d
       where h.ledger_id = $1 and h.chain = 'decisions' and d.ledger_id = $1 and d.seq = 3`,
      values,
    );
  });
  const stranger = open({ key: live.key });
  expect(await stranger.verification.decisions()).toMatchObject({ is_valid: true });
  const second = open({ key: live.key, outbox });
  expect(second.anchor).toMatchObject({ seq: 5 });
  expect(await second.verification.decisions()).toMatchObject({
    is_valid: false,
    first_broken_link: { seq: 4 },
  });
});
