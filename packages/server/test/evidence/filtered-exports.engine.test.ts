import { ActivityPage } from '@decision-ledger/contract/chain';
import { DecisionPage } from '@decision-ledger/contract/decision';
import { Link } from '@decision-ledger/contract/link';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { expireExports } from '#server/domains/evidence/exports/index';
import type { Scope } from '#server/platform/principal';
import { type Client, dataOf, errorOf } from '../support/client.js';
import { describeEngine } from '../support/engine.js';
import { erase } from '../support/erasures.js';
import { decide } from '../support/estimates.js';
import {
  askFor,
  bundleOf,
  check,
  contentOf,
  type Downloaded,
  fingerprintOf,
  jsonOf,
  make,
  postExport,
  readExport,
  textOf,
} from '../support/exports.js';
import { link, recordEvent, suggestByEngine } from '../support/money.js';
import { openTestService, type TestService } from '../support/service.js';
import { JANUARY, type JanuaryLedger, januaryLedger } from './support/january.js';

const OURS = { metadata: { customer_id: 'C-17' } };

describeEngine((engine) => {
  let bed: TestService;
  let client: Client;
  let scope: Scope;
  let goTo: JanuaryLedger['goTo'];

  beforeAll(async () => {
    bed = await openTestService(engine);
  });
  beforeEach(async () => {
    ({ client, scope, goTo } = await januaryLedger(bed));
  });
  afterAll(() => bed.close());

  const of = (customer: string, fields = {}) =>
    decide(client, {
      ...{ agent_id: `agent-of-${customer}`, action_type: `serve-${customer}` },
      inputs: { text: `told to ${customer}` },
      metadata: { customer_id: customer },
      ...fields,
    });
  const join = async (decisionId: string, eventId: string) =>
    dataOf(await client.post('/links', link(decisionId, eventId)), Link, 201);
  const ours = (fields = {}) => bundleOf(bed, client, { ...JANUARY, filter: OURS, ...fields });

  /** Decisions of two customers around January, with a signed round before it. */
  async function tellStory() {
    await goTo('2026-12-30T10:00:00Z');
    await of('C-1');
    await of('C-17');
    await bundleOf(bed, client, { export_type: 'insurance' });
    await goTo('2027-01-10T10:00:00Z');
    const first = await of('C-17');
    const other = await of('C-99');
    await goTo('2027-01-20T10:00:00Z');
    const second = await of('C-17', { human_in_loop: true });
    await of('C-99');
    await goTo('2027-02-20T10:00:00Z');
    const later = await of('C-99');
    return { first, other, second, later };
  }

  /** What an auditor with the fingerprint and a checkpoint from after the export reads. */
  async function verdictsOf(bundle: Downloaded, previous?: Downloaded) {
    const { verdicts } = await check(bundle, {
      keyFingerprint: await fingerprintOf(client),
      checkpoint: textOf(bundle, 'activity.checkpoint'),
      ...(previous !== undefined && { previous }),
    });
    return Object.fromEntries(
      Object.entries(verdicts).map(([name, { verdict, findings }]) => [
        name,
        [verdict, ...findings.map(({ code }) => code)].join(' '),
      ]),
    );
  }

  const PROVEN = {
    ...{ integrity: 'pass', completeness: 'pass', authenticity: 'pass' },
    selection: 'unproven selection_stated',
    time: 'unproven time_unattested',
  };

  it('A filtered bundle shows what the list finds, proves its range, and says what it withholds', async () => {
    const { first, second } = await tellStory();
    const bundle = await ours();
    expect(await verdictsOf(bundle)).toEqual(PROVEN);
    const query = '/decisions?metadata.customer_id=C-17&start=2027-01-01&end=2027-01-31';
    const { decisions } = dataOf(await client.get(query), DecisionPage);
    const shown = jsonOf<{ decision_id: string }[]>(bundle, 'decisions.json');
    expect(shown.map(({ decision_id }) => decision_id)).toEqual([
      first.decision_id,
      second.decision_id,
    ]);
    expect(shown.map(({ decision_id }) => decision_id).sort()).toEqual(
      decisions.map(({ decision_id }) => decision_id).sort(),
    );
    const { selection, decisions: run } = jsonOf<Record<string, Record<string, unknown>>>(
      bundle,
      'manifest.json',
    );
    expect(selection).toMatchObject({ filter: OURS, in_range: 4, withheld: 4, erased: 0 });
    expect(run).toMatchObject({ count: 2, first: { seq: 2 }, last: { seq: 7 } });
    expect(textOf(bundle, 'withheld.ndjson').match(/^\[\d+/gm)).toEqual(['[2', '[4', '[6', '[7']);
    const [sentence] =
      (await check(bundle)).verdicts.selection?.sentence.split('. ').slice(1) ?? [];
    expect(sentence).toBe(
      "2 of 4 decisions of the range are withheld; that they do not match the filter is the operator's statement",
    );
    expect(await readExport(client, bundle.id)).toMatchObject({ filter: OURS, decisions: 2 });
  });

  it('It takes the filters of the list', async () => {
    await tellStory();
    for (const [filter, count] of [
      [{ agent_id: 'agent-of-C-99' }, 2],
      [{ action_type: 'serve-C-17', human_in_loop: true }, 1],
      [{ min_confidence: 0.99 }, 0],
      [{ human_in_loop: false, metadata: { customer_id: 'C-17' } }, 1],
    ] as const) {
      const bundle = await ours({ filter });
      const shown = jsonOf<object[]>(bundle, 'decisions.json');
      expect(shown, JSON.stringify(filter)).toHaveLength(count);
      expect(await verdictsOf(bundle), JSON.stringify(filter)).toEqual(PROVEN);
    }
  });

  it('Nothing of a withheld decision, event or link is in the archive', async () => {
    const { first, other, later } = await tellStory();
    const paid = await recordEvent(client, { timestamp: '2027-02-10T10:00:00Z', amount: '41.30' });
    const foreign = await recordEvent(client, {
      timestamp: '2027-01-10T10:00:00Z',
      amount: '77.10',
    });
    const guessed = await recordEvent(client, {
      timestamp: '2027-01-11T10:00:00Z',
      amount: '88.20',
    });
    const kept = await join(first.decision_id, paid.id);
    const theirs = await join(other.decision_id, foreign.id);
    const removed = await join(first.decision_id, foreign.id);
    await client.delete(`/links/${removed.id}`);
    const suggested = await suggestByEngine(bed, scope, {
      decision_id: first.decision_id,
      financial_event_id: guessed.id,
    });
    await erase(client, other.decision_id, 'inputs');
    const bundle = await ours();
    expect(jsonOf<{ id: string }[]>(bundle, 'events.json').map(({ id }) => id)).toEqual([paid.id]);
    expect(jsonOf<{ id: string }[]>(bundle, 'links.json').map(({ id }) => id)).toEqual([
      kept.id,
      removed.id,
    ]);
    expect(await verdictsOf(bundle)).toEqual(PROVEN);
    const bytes = contentOf(bundle).toString('latin1');
    const hidden = [other.decision_id, later.decision_id, 'C-99', theirs.id, suggested, guessed.id];
    for (const text of [...hidden, '77.10', '88.20', 'told to C-1"']) {
      expect(bytes, text).not.toContain(text);
    }
  });

  it('A decision whose metadata were erased is not found, and the bundle says so', async () => {
    const { first } = await tellStory();
    const before = await ours();
    await erase(client, first.decision_id, 'metadata');
    const after = await ours();
    const { selection } = jsonOf<{ selection: object }>(after, 'manifest.json');
    expect(selection).toMatchObject({ in_range: 4, erased: 1 });
    expect(jsonOf<object[]>(after, 'decisions.json')).toHaveLength(1);
    expect(await verdictsOf(after)).toEqual(PROVEN);
    const selected = 'unproven previous_unknown selection_stated';
    expect(await verdictsOf(after, before)).toMatchObject({
      completeness: 'pass',
      selection: selected,
    });
  });

  it('It is compared with earlier and later bundles, filtered or not', async () => {
    await tellStory();
    const all = await bundleOf(bed, client, JANUARY);
    const filtered = await ours();
    const others = await ours({ filter: { metadata: { customer_id: 'C-99' } } });
    const whole = await bundleOf(bed, client, JANUARY);
    expect(await verdictsOf(filtered, all)).toEqual(PROVEN);
    expect(await verdictsOf(others, filtered)).toEqual(PROVEN);
    expect(await verdictsOf(whole, filtered)).toMatchObject({
      integrity: 'pass',
      completeness: 'pass',
    });
  });

  it('The activity chain has a commitment in place of the filter, and the filter goes with the file', async () => {
    await tellStory();
    const { export_id, filter_commitment } = await askFor(client, { ...JANUARY, filter: OURS });
    await make(bed, client, export_id);
    const path = `/activity?subject=${export_id}`;
    const { activity } = dataOf(await client.get(path), ActivityPage);
    expect(activity.map(({ type, data }) => [type, data?.filter_commitment])).toEqual([
      ['export.made', filter_commitment],
      ['export.requested', filter_commitment],
    ]);
    expect(JSON.stringify(activity)).not.toContain('C-17');
    bed.clock.advance(25 * 3_600_000);
    await expireExports(bed.service);
    const expired = await readExport(client, export_id);
    expect(expired).toMatchObject({ status: 'expired', filter_commitment });
    expect(expired.filter).toBeUndefined();
  });

  it('Before the first round and before the end of the range, it proves what it can', async () => {
    await of('C-17', { timestamp: '2026-05-01T10:00:00Z' });
    await of('C-99', { timestamp: '2026-05-01T11:00:00Z' });
    const bundle = await ours({ start_date: '2026-05-01', end_date: '2026-05-02' });
    expect(await verdictsOf(bundle)).toEqual(PROVEN);
    const open = await ours({ start_date: '2026-05-01', end_date: '2100-01-01' });
    const completeness = 'unproven edges_unproven';
    expect(await verdictsOf(open)).toEqual({ ...PROVEN, completeness });
    const none = await ours({ start_date: '2020-01-01', end_date: '2020-01-02' });
    expect(await verdictsOf(none)).toEqual(PROVEN);
  });

  it('A range from before the first decision is proven by a round of the empty ledger', async () => {
    const empty = { start_date: '2020-01-01', end_date: '2020-01-02' };
    const selection = 'pass';
    expect(await verdictsOf(await ours(empty))).toEqual({ ...PROVEN, selection });
    await of('C-17');
    expect(await verdictsOf(await ours(empty))).toEqual(PROVEN);
  });

  it('A range of decided times can be filtered, too', async () => {
    await goTo('2026-12-20T10:00:00Z');
    await client.patch('/settings', { recording: { max_lateness_seconds: 86_400 } });
    await tellStory();
    expect(await verdictsOf(await ours({ range_basis: 'decided' }))).toEqual(PROVEN);
    const { decision_id } = await of('C-99');
    await join(decision_id, (await recordEvent(client)).id);
    const completeness = 'unproven activity_hidden';
    const hidden = await ours({ range_basis: 'decided' });
    expect(await verdictsOf(hidden)).toEqual({ ...PROVEN, completeness });
  });

  it.each([
    [{ export_type: 'insurance', filter: OURS }, 'filter', /does not go with .* insurance/],
    [{ export_type: 'statement', agent_id: 'a', filter: OURS }, 'filter', /use forensic/],
    [{ filter: {} }, 'filter', /at least one condition/],
    [{ filter: { metadata: {} } }, 'filter', /at least one condition/],
    [{ filter: { min_confidence: 0.9, max_confidence: 0.1 } }, 'filter.min_confidence', /above/],
    [{ filter: { min_confidence: 2 } }, 'filter.min_confidence', /1/],
    [{ filter: { start: '2026-01-01' } }, 'filter.start', /./],
    [{ filter: { metadata: { n: 5 } } }, 'filter.metadata.n', /string/],
    [{ agent_id: 'a' }, 'agent_id', /filter\.agent_id/],
  ])('An invalid filter is refused: %j', async (fields, path, reason) => {
    await decide(client, { agent_id: 'a' });
    const answer = await postExport(client, fields);
    expect(answer.status).toBe(422);
    expect(errorOf(answer).details?.fields).toMatchObject({
      [path]: [expect.stringMatching(reason)],
    });
  });
});
