import { Link, LinkPage } from '@decision-ledger/contract/link';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordEvent } from '#server/domains/record/financial-events/index';
import { carryLinks, writeSuggestions } from '#server/domains/record/links/index';
import { idToUuid } from '#server/platform/ids';
import { dataOf } from '../support/client.js';
import {
  bundleOf,
  CONSISTENT,
  check,
  fingerprintOf,
  jsonOf,
  verdictsOf,
} from '../support/exports.js';
import { SCORE } from '../support/link-score.js';
import { event, recordDecision, recordLink } from '../support/money.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';

let bed: TestService;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
afterAll(() => bed.close());

it('A bundle with links that were carried over twice verifies', async () => {
  const { live } = await bed.organisation();
  const { service } = bed;
  const scope = await scopeOf(bed, live);
  const made = await recordLink(live, { notes: 'made by hand' });
  const decisionId = idToUuid('dec', await recordDecision(live)) ?? '';
  let eventId = idToUuid('evt', made.financial_event_id) ?? '';
  const wanted = {
    ...{ decisionId, strength: 0.25, reviewPriority: 0.5 },
    ...({ linkType: 'saving', reversal: false, label: 'guessed' } as const),
  };
  await service.db
    .ledger(scope)
    .write((tx) =>
      writeSuggestions(tx, service.hooks, [
        { eventId, suggested: [{ ...wanted, score: { ...SCORE } }] },
      ]),
    );
  const [suggested] = dataOf(await live.get('/links?status=ML_SUGGESTED'), LinkPage).links;
  dataOf(await live.post(`/links/${suggested?.id}/confirm`, {}), Link);
  for (const amount of ['12.00', '13.00']) {
    await service.db.transaction(async (tx) => {
      const actor = { scope, actor: 'connector' };
      const body = { ...event({ amount }), metadata: {} };
      const next = await recordEvent(tx.ledger(actor.scope), service.hooks, actor, body, {
        supersedes: eventId,
      });
      await carryLinks(tx.ledger(actor.scope), service.hooks, actor, eventId, next.event_id);
      eventId = next.event_id;
    });
  }
  const bundle = await bundleOf(bed, live);
  const standing = jsonOf<Link[]>(bundle, 'links.json').filter(
    ({ deleted_at }) => deleted_at === null,
  );
  expect(standing).toMatchObject([
    { notes: 'made by hand', created_by: made.created_by },
    { status: 'ML_INFERRED', created_by: 'engine', reviewed_by: made.created_by },
  ]);
  const report = await check(bundle, { keyFingerprint: await fingerprintOf(live) });
  expect(verdictsOf(report)).toEqual({ ...CONSISTENT, authenticity: 'pass' });
});
