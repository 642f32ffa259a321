import { ActivityChainVerification } from '@decision-ledger/contract/chain';
import { Type } from 'typebox';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { runExport } from '#server/domains/evidence/exports/run';
import {
  RECONCILIATION,
  requestDueReconciliations,
  runReconciliation,
} from '#server/domains/evidence/reconciliation/nightly-run';
import { idToUuid } from '#server/platform/ids';
import { type VerificationPool, verificationPool } from '#server/verification/verification-pool';
import { type Client, dataOf } from '../../support/client.js';
import { describeEngine } from '../../support/engine.js';
import { askFor, make, readExport, runTools } from '../../support/exports.js';
import { recordEvent, recordLink } from '../../support/money.js';
import { asOwner } from '../../support/owner.js';
import { openTestService, scopeOf, type TestService } from '../../support/service.js';

const DAY_MS = 86_400_000;

describeEngine((engine) => {
  let bed: TestService;
  let client: Client;
  let pool: VerificationPool;

  beforeAll(async () => {
    bed = await openTestService(engine);
    pool = verificationPool(bed.service.storage.address);
  });
  beforeEach(async () => {
    client = (await bed.organisation()).live;
  });
  afterAll(async () => {
    await pool.close();
    await bed.close();
  });

  const verify = async (query = '') =>
    dataOf(await client.get(`/activity/chain/verify${query}`), ActivityChainVerification);
  const moveEvent = (id: string) =>
    asOwner(
      bed,
      `update financial_events set "timestamp" = '1999-01-01' where event_id = '${idToUuid('evt', id)}'`,
    );
  const night = async () =>
    runReconciliation(bed.service.db.ledger(await scopeOf(bed, client)), {
      ...bed.service,
      reconciliationThread: pool,
    });

  it('The answer to a verification says that the tables agree, and names what was changed in them', async () => {
    const { id } = await recordEvent(client);
    const before = await verify();
    expect(before).toMatchObject({
      ...{ is_valid: true, first_broken_link: null },
      reconciliation: { is_reconciled: true, findings_count: 0, findings: [], unproven: [] },
    });
    await moveEvent(id);
    const { reconciliation, ...chain } = await verify();
    expect(chain).toMatchObject({ is_valid: true, first_broken_link: null });
    expect(reconciliation).toMatchObject({
      ...{ is_reconciled: false, findings_count: 1 },
      findings: [
        {
          ...{ kind: 'changed_row', table: 'financial_events', key: id, column: 'timestamp' },
          ...{ expected: '"2026-04-16T09:00:00.000Z"', actual: '"1999-01-01T00:00:00.000Z"' },
        },
      ],
    });
  });

  it('Nothing is compared for a range of time, or with a chain that is broken', async () => {
    expect((await verify('?start_date=2020-01-01')).reconciliation).toBeNull();
    const { ledgerId } = await scopeOf(bed, client);
    await asOwner(
      bed,
      `update activity set actor = 'x' where ledger_id = '${ledgerId}' and seq = 1`,
    );
    expect(await verify()).toMatchObject({ is_valid: false, reconciliation: null });
  });

  it('An event that was moved out of the range of an export makes it fail with the reason', async () => {
    const { id } = await recordEvent(client);
    await moveEvent(id);
    const { export_id } = await askFor(client, { start_date: '2026-01-01' });
    const { tools, failures } = runTools(bed);
    await runExport(
      tools.db.ledger(await scopeOf(bed, client)),
      tools,
      export_id,
      new AbortController().signal,
    );
    expect(failures).toHaveLength(1);
    const failed = await readExport(client, export_id);
    expect(failed).toMatchObject({ status: 'failed' });
    expect(failed.reason).toContain(`changed_row: financial_events ${id} timestamp`);
    expect(failed.reason).toContain('restore the tables from a backup');
  });

  it('A forged allocation makes an insurance export fail, and restored tables are exported again', async () => {
    const { id } = await recordLink(client);
    const where = `where link_id = '${idToUuid('lnk', id)}'`;
    await asOwner(bed, `update link_allocations set amount = amount * 10 ${where}`);
    const { export_id } = await askFor(client, { export_type: 'insurance' });
    const { tools } = runTools(bed);
    await runExport(
      tools.db.ledger(await scopeOf(bed, client)),
      tools,
      export_id,
      new AbortController().signal,
    );
    expect(await readExport(client, export_id)).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining(`changed_sum: link_allocations ${id} amount`),
    });
    await asOwner(bed, `update link_allocations set amount = amount / 10 ${where}`);
    const again = await askFor(client, { export_type: 'insurance' });
    await make(bed, client, again.export_id);
    expect(await readExport(client, again.export_id)).toMatchObject({ status: 'complete' });
  });

  it('A revocation that was undone is found', async () => {
    const Issued = Type.Object({ key_id: Type.String() });
    const body = { name: 'old', permissions: ['read'] };
    const { key_id } = dataOf(await client.post('/keys', body), Issued, 201);
    await client.delete(`/keys/${key_id}`);
    const uuid = idToUuid('key', key_id);
    await asOwner(bed, `update api_keys set revoked_at = null where key_id = '${uuid}'`);
    expect((await verify()).reconciliation?.findings).toMatchObject([
      { kind: 'changed_row', table: 'api_keys', key: key_id, column: 'revoked_at', actual: null },
    ]);
  });

  it('A ledger is compared from the first night on that it sees, and once a night', async () => {
    const { ledgerId } = await scopeOf(bed, client);
    const isRequested = async () => {
      const requested: string[] = [];
      await requestDueReconciliations({
        ...bed.service,
        jobs: {
          ...bed.service.jobs,
          send: async (ledger, { name }) => {
            if (name === RECONCILIATION.name) requested.push(ledger.ledgerId);
          },
        },
      });
      return requested.includes(ledgerId);
    };
    expect(await isRequested()).toBe(false);
    bed.clock.advance(DAY_MS);
    expect(await isRequested()).toBe(true);
    await night();
    expect(await isRequested()).toBe(false);
    bed.clock.advance(DAY_MS);
    expect(await isRequested()).toBe(true);
  });

  it('The nightly run keeps what it found for alerts and metrics', async () => {
    const { id } = await recordEvent(client);
    const { ledgerId } = await scopeOf(bed, client);
    const last = () =>
      asOwner(
        bed,
        `select findings::int, first_finding from reconciliations
        where ledger_id = '${ledgerId}'`,
      );
    await night();
    expect(await last()).toEqual([{ findings: 0, first_finding: null }]);
    await moveEvent(id);
    await night();
    expect(await last()).toEqual([{ findings: 1, first_finding: expect.stringContaining(id) }]);
    await asOwner(
      bed,
      `update activity set actor = 'x' where ledger_id = '${ledgerId}' and seq = 1`,
    );
    await night();
    expect(await last()).toEqual([{ findings: null, first_finding: null }]);
  });
});
