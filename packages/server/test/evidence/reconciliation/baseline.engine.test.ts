import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ensureBaseline } from '#server/domains/evidence/reconciliation/baseline';
import { reconcile } from '#server/domains/evidence/reconciliation/index';
import { idToUuid, uuidToId } from '#server/platform/ids';
import type { Scope } from '#server/platform/scope';
import type { Client } from '../../support/client.js';
import { describeEngine } from '../../support/engine.js';
import { event, recordEvent } from '../../support/money.js';
import { asOwner } from '../../support/owner.js';
import { openTestService, scopeOf, type TestService } from '../../support/service.js';

describeEngine((engine) => {
  let bed: TestService;
  let client: Client;
  let scope: Scope;

  beforeAll(async () => {
    bed = await openTestService(engine);
  });
  beforeEach(async () => {
    client = (await bed.organisation()).live;
    scope = await scopeOf(bed, client);
  });
  afterAll(() => bed.close());

  const compare = () => reconcile(bed.service.db, scope);

  /** An event as a former release recorded it: without its origin in the chain. */
  async function recordOld(origin: string): Promise<string> {
    const { service } = bed;
    const uuid = service.ids.uuid();
    const body = event();
    const at = await service.db.transaction((tx) =>
      service.recordActivity(tx, scope, {
        ...{ type: 'financial_event.recorded', actor: 'operator', subject: uuidToId('evt', uuid) },
        when: { event: body.timestamp },
        data: body,
      }),
    );
    await asOwner(
      bed,
      `insert into financial_events (ledger_id, event_id, source, event_type, amount, currency,
        "timestamp", origin, created_at, counted_amount)
      values ($1, $2, $3, $4, $5, $6, $7, $8, to_timestamp($9::bigint / 1000.0), $5)`,
      [
        ...[scope.ledgerId, uuid, body.source, body.event_type, body.amount, body.currency],
        ...[body.timestamp, origin, at],
      ],
    );
    return uuidToId('evt', uuid);
  }

  it('What no record states of an old row is unproven, before and after a baseline', async () => {
    await recordOld('stripe:old');
    await recordEvent(client);
    const unproven = [{ table: 'financial_events', column: 'origin', rows: 1 }];
    expect(await compare()).toMatchObject({ findings: [], unproven });
    expect(await ensureBaseline(bed.service, scope)).toBe(true);
    expect(await compare()).toMatchObject({ findings: [], unproven });
    await recordEvent(client);
    expect(await compare()).toMatchObject({ findings: [], unproven });
  });

  it('A baseline is recorded once, and only where records leave something out', async () => {
    await recordEvent(client);
    expect(await ensureBaseline(bed.service, scope)).toBe(false);
    await recordOld('stripe:old');
    expect(await ensureBaseline(bed.service, scope)).toBe(true);
    await recordOld('stripe:older');
    expect(await ensureBaseline(bed.service, scope)).toBe(false);
    expect((await compare()).findings).toEqual([]);
  });

  it('A change of an old row after the baseline is found', async () => {
    const id = await recordOld('stripe:old');
    await ensureBaseline(bed.service, scope);
    await asOwner(
      bed,
      `update financial_events set origin = 'forged' where event_id = '${idToUuid('evt', id)}'`,
    );
    expect((await compare()).findings).toMatchObject([
      { kind: 'changed_sum', table: 'financial_events', key: 'baseline', column: 'origin' },
    ]);
  });
});
