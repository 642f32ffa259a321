import { Activity } from '@decision-ledger/contract/chain';
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { acceptLoss, checkRestored } from '#server/domains/evidence/restores/index';
import { LogFault, rebuildLogs } from '#server/domains/evidence/transparency/index';
import { type Client, dataOf } from '../support/client.js';
import { describeEngine } from '../support/engine.js';
import { decide } from '../support/estimates.js';
import { bundleOf, check, textOf, verdictsOf } from '../support/exports.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';
import { published, round } from './support/log-tools.js';

const LOST = { seq: 9, hash: 'ab'.repeat(32), backupMadeAt: Date.parse('2026-04-16T09:30:00Z') };

describeEngine((engine) => {
  let bed: TestService;
  let client: Client;
  beforeAll(async () => {
    bed = await openTestService(engine);
    ({ live: client } = await bed.organisation());
  });
  afterAll(() => bed.close());

  it('The logs of a ledger with a loss sign nothing, until the operator accepts a second history', async () => {
    await decide(client);
    await round(bed, client);
    const scope = await scopeOf(bed, client);
    const rebuild = () => rebuildLogs(bed.service.db.ledger(scope), new AbortController().signal);
    const missing = { fromSeq: 1, expected: { seq: 9, hash: LOST.hash }, actualHash: null };
    expect(await checkRestored(bed.service.db.ledger(scope), LOST)).toMatchObject(missing);
    const reason = 'the disk failed';
    expect(
      await acceptLoss(bed.service.db.ledger(scope), {
        reason,
        acceptsFork: false,
        forgotten: [],
      }),
    ).toBe(true);
    await decide(client);
    await expect(round(bed, client)).rejects.toThrow(LogFault);
    await expect(rebuild()).rejects.toThrow('restored without the decision of seq 9');
    expect((await published(client, 'decisions')).size).toBe(1);

    expect(
      await acceptLoss(bed.service.db.ledger(scope), {
        reason,
        acceptsFork: true,
        forgotten: [],
      }),
    ).toBe(true);
    await rebuild();
    await round(bed, client);
    expect((await published(client, 'decisions')).size).toBe(2);
    const { activity } = dataOf(
      await client.get('/activity?type=ledger.restored'),
      Type.Object({ activity: Type.Array(Activity) }),
    );
    expect(activity.map(({ data }) => data)).toMatchObject([
      { accepts_fork: true, expected_seq: 9 },
      { accepts_fork: false, backup_made_at: '2026-04-16T09:30:00.000Z', from_seq: 1, reason },
    ]);
  });

  it('A bundle discloses the acceptance, and passes the verifier', async () => {
    const bundle = await bundleOf(bed, client);
    expect(verdictsOf(await check(bundle)).integrity).toBe('pass');
    expect(textOf(bundle, 'activity.ndjson').match(/the disk failed/g)).toHaveLength(2);
  });

  it('Nothing is accepted in a ledger that lacks nothing', async () => {
    const { live } = await bed.organisation();
    const scope = await scopeOf(bed, live);
    const acceptance = { reason: 'none', acceptsFork: false, forgotten: [] };
    expect(await acceptLoss(bed.service.db.ledger(scope), acceptance)).toBe(false);
  });
});
