import { DecisionPage } from '@decision-ledger/contract/decision';
import { Link } from '@decision-ledger/contract/link';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isThorough, runs } from '../../../proof/test/support/runs.js';
import { type Client, dataOf } from '../support/client.js';
import { describeEngine } from '../support/engine.js';
import { erase } from '../support/erasures.js';
import { decide } from '../support/estimates.js';
import {
  bundleOf,
  check,
  contentOf,
  type Downloaded,
  fingerprintOf,
  jsonOf,
  textOf,
} from '../support/exports.js';
import { link, recordEvent } from '../support/money.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';
import { setTime } from './support/rewrite.js';

const AGENTS = ['agent-kestrel', 'agent-osprey'];
const ACTIONS = ['action-grant', 'action-refuse'];
const CUSTOMERS = ['customer-quartz', 'customer-topaz', '17'];
const DAYS = ['2027-01-05', '2027-01-10', '2027-01-20', '2027-02-05'];

const filters = fc
  .record(
    {
      agent_id: fc.constantFrom(...AGENTS),
      action_type: fc.constantFrom(...ACTIONS),
      human_in_loop: fc.boolean(),
      min_confidence: fc.constantFrom(0.2, 0.5),
      max_confidence: fc.constantFrom(0.5, 0.9),
      metadata: fc.record({ customer_id: fc.constantFrom(...CUSTOMERS) }),
    },
    { requiredKeys: [] },
  )
  .filter((filter) => Object.keys(filter).length > 0);

const decisions = fc.record({
  day: fc.nat(DAYS.length - 1),
  agent_id: fc.constantFrom(...AGENTS),
  action_type: fc.constantFrom(...ACTIONS),
  human_in_loop: fc.boolean(),
  confidence: fc.constantFrom(0.1, 0.5, 0.95),
  // As a number, `17` matches the same filter.
  customer: fc.constantFrom<(string | number)[]>(...CUSTOMERS, 17),
  hasMoney: fc.boolean(),
  erased: fc.constantFrom(null, null, null, 'metadata' as const, 'inputs' as const),
});

const ledgers = fc.record({
  told: fc
    .array(decisions, { minLength: 1, maxLength: 8 })
    .map((all) => all.toSorted((a, b) => a.day - b.day)),
  filter: filters,
  start: fc.constantFrom('2027-01-01', '2027-01-08'),
  end: fc.constantFrom('2027-01-10', '2027-01-31'),
});

type Story = typeof ledgers extends fc.Arbitrary<infer Value> ? Value : never;
type Told = Story['told'][number];

/** A decision with everything about it that only it has. */
interface Recorded extends Told {
  readonly id: string;
  readonly texts: readonly string[];
}

describeEngine((engine) => {
  let bed: TestService;
  beforeAll(async () => {
    bed = await openTestService(engine);
  });
  afterAll(() => bed.close());

  async function record(client: Client, { told }: Story): Promise<Recorded[]> {
    const scope = await scopeOf(bed, client);
    await setTime(bed, scope, '2026-12-20T10:00:00Z');
    await bundleOf(bed, client, { export_type: 'insurance' });
    const all: Recorded[] = [];
    for (const [at, one] of told.entries()) {
      const { day, customer, hasMoney, erased, ...fields } = one;
      await setTime(bed, scope, `${DAYS[day]}T10:00:00Z`);
      const secret = `told-in-secret-${at}`;
      const { decision_id: id } = await decide(client, {
        ...fields,
        ...{ inputs: { secret }, metadata: { customer_id: customer, secret: `of-metadata-${at}` } },
      });
      const texts = [id, secret, `of-metadata-${at}`];
      if (hasMoney) {
        const event = await recordEvent(client, { description: `paid-in-secret-${at}` });
        const made = dataOf(await client.post('/links', link(id, event.id)), Link, 201);
        texts.push(event.id, made.id, `paid-in-secret-${at}`);
      }
      if (erased !== null) await erase(client, id, erased);
      all.push({ ...one, id, texts });
    }
    await setTime(bed, scope, '2027-03-01T10:00:00Z');
    return all;
  }

  /** What GET /decisions finds with the same filter. */
  async function listed(client: Client, { filter, start, end }: Story): Promise<string[]> {
    const { metadata, ...rest } = filter;
    const query = new URLSearchParams({ start, end, limit: '100' });
    for (const [name, value] of Object.entries(rest)) query.set(name, String(value));
    if (metadata !== undefined) query.set('metadata.customer_id', metadata.customer_id ?? '');
    const { decisions: found } = dataOf(await client.get(`/decisions?${query}`), DecisionPage);
    return found.map(({ decision_id }) => decision_id).sort();
  }

  async function verdictsOf(client: Client, bundle: Downloaded) {
    const { verdicts } = await check(bundle, {
      keyFingerprint: await fingerprintOf(client),
      checkpoint: textOf(bundle, 'activity.checkpoint'),
    });
    return Object.values(verdicts).map(({ verdict, findings }) =>
      [verdict, ...findings.map(({ code }) => code)].join(' '),
    );
  }

  it('A filtered bundle verifies, shows exactly what the list finds, and no byte of anything else', async () => {
    await fc.assert(
      fc.asyncProperty(ledgers, async (story) => {
        bed.clock.advance(Date.UTC(2026, 3, 16) - bed.clock.now());
        const client = (await bed.organisation()).live;
        bed.clock.advance(Date.UTC(2027, 5, 1) - bed.clock.now());
        await client.patch('/settings', { rate_limits: { exports_per_hour: 1000 } });
        const all = await record(client, story);
        const range = { start_date: story.start, end_date: story.end };
        const bundle = await bundleOf(bed, client, { ...range, filter: story.filter });
        const selected = ['pass', 'unproven selection_stated'];
        const [integrity, completeness, selection, authenticity] = await verdictsOf(client, bundle);
        expect([integrity, completeness, authenticity]).toEqual(['pass', 'pass', 'pass']);
        expect(selected).toContain(selection);
        const shown = jsonOf<{ decision_id: string }[]>(bundle, 'decisions.json');
        const ids = shown.map(({ decision_id }) => decision_id);
        expect(ids.toSorted()).toEqual(await listed(client, story));
        expectNothingElse(bundle, all, ids);
      }),
      { numRuns: runs(isThorough ? 30 : 10) },
    );
  }, 600_000);

  function expectNothingElse(bundle: Downloaded, all: readonly Recorded[], ids: readonly string[]) {
    const bytes = contentOf(bundle).toString('latin1');
    const isShown = ({ id }: Recorded) => ids.includes(id);
    for (const one of all.filter((other) => !isShown(other))) {
      for (const text of one.texts) {
        // Its erasure is shown where nobody can say whether it matches: the record names the decision.
        const isUndecided = text === one.id && one.erased === 'metadata';
        if (!isUndecided) expect(bytes, text).not.toContain(text);
      }
    }
    const { filter } = jsonOf<{ selection: { filter: object } }>(bundle, 'manifest.json').selection;
    const named = [...all.filter(isShown).map(({ agent_id }) => agent_id), JSON.stringify(filter)];
    for (const agent of AGENTS) {
      if (!named.some((text) => text.includes(agent))) expect(bytes, agent).not.toContain(agent);
    }
  }
});
