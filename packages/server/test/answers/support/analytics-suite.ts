import { AgentPage, ExposureAnalysis, Pnl, Timeline } from '@decision-ledger/contract/analytics';
import fc from 'fast-check';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidToId } from '#server/platform/ids';
import type { Scope } from '#server/platform/principal';
import { type Client, dataOf } from '../../support/client.js';
import { type Engine, openTestService, scopeOf, type TestService } from '../../support/service.js';
import {
  DECISIONS,
  fill,
  HOUR,
  SPAN,
  START,
  type State,
  setState,
  states,
} from './analytics-ledger.js';
import {
  cents,
  type Fraction,
  isBelow,
  isNextTo,
  negative,
  parse,
  plus,
  total,
} from './fraction.js';

let bed: TestService;
let client: Client;
let scope: Scope;
/** All decisions, with their estimates. */
let rows: readonly Row[];

/**
 * Sums equal a plain count of the decisions, for any range, however many are summed already, and
 * with or without estimates.
 */
export function analyticsSuite(engine: Engine): void {
  describe(`Decision sums on ${engine}`, () => {
    beforeAll(async () => {
      bed = await openTestService(engine);
      const org = await bed.organisation();
      client = org.live;
      scope = await scopeOf(bed, client);
      await fill(client);
      await fill(org.test);
      await setState(bed, scope, { rolledSeq: DECISIONS });
      rows = await selectRows();
    });
    afterAll(() => bed.close());

    it('Sums equal a plain count over any range, filter and state', async () => {
      await fc.assert(
        fc.asyncProperty(states, fc.array(questions, { minLength: 6, maxLength: 6 }), ask),
        { seed: 41, numRuns: 12 },
      );
    });
  });
}

const bound = fc.option(
  fc.oneof(
    fc.integer({ min: -HOUR, max: SPAN + HOUR }),
    fc.integer({ min: -1, max: 9 }).map((hour) => hour * HOUR),
  ),
  { nil: undefined, freq: 5 },
);
const questions = fc
  .record({
    a: bound,
    b: bound,
    offset: fc.constantFrom(0, 120, -330),
    agent: fc.option(fc.constantFrom('agent-0', 'agent-2', 'nobody'), { nil: undefined }),
    type: fc.option(fc.constantFrom('action-0', 'action-1'), { nil: undefined }),
    bucket: fc.constantFrom(...(['hour', 'day', 'week', 'month', 'quarter'] as const)),
    by: fc.constantFrom('agent' as const, 'action_type' as const, undefined),
    top: fc.integer({ min: 1, max: 20 }),
  })
  .filter(({ a, b }) => a === undefined || b === undefined || a <= b);
type Question = typeof questions extends fc.Arbitrary<infer Value> ? Value : never;

interface Row {
  readonly seq: number;
  readonly decision_id: string;
  readonly agent_id: string;
  readonly action_type: string;
  readonly at: number;
  readonly confidence: number;
  readonly overseen: boolean;
  readonly exposure: string;
  readonly realised: string;
}

function selectRows(): Promise<Row[]> {
  return bed.service.db.query<Row>(sql`
    select d.seq, d.decision_id, d.agent_id, d.action_type, d.confidence,
      (extract(epoch from d."timestamp") * 1000)::bigint as at,
      e.oversight <> 'none' as overseen, e.exposure::text as exposure, e.realised::text as realised
    from decisions d
    join liability_estimates e on e.ledger_id = d.ledger_id and e.seq = d.seq
    where d.ledger_id = ${scope.ledgerId} order by d.seq`);
}

async function ask(state: State, asked: readonly Question[]): Promise<void> {
  await setState(bed, scope, state);
  expect(rows).toHaveLength(DECISIONS);
  for (const question of asked) await compare(question);
}

function queryOf({ a, b, offset, agent, type }: Question): string {
  const zone = `${offset < 0 ? '-' : '+'}${String(Math.floor(Math.abs(offset) / 60)).padStart(2, '0')}:${String(Math.abs(offset) % 60).padStart(2, '0')}`;
  const at = (by: number) =>
    new Date(START + by + offset * 60_000).toISOString().replace('Z', zone);
  const all = {
    ...(a !== undefined && { start: at(a) }),
    ...(b !== undefined && { end: at(b) }),
    ...(agent !== undefined && { agent_id: agent }),
    ...(type !== undefined && { action_type: type }),
  };
  return new URLSearchParams(all).toString();
}

async function compare(question: Question): Promise<void> {
  const { a = -Infinity, b = Infinity, agent, type } = question;
  const own = rows.filter(
    (row) =>
      START + a <= row.at &&
      row.at < START + b &&
      (agent === undefined || row.agent_id === agent) &&
      (type === undefined || row.action_type === type),
  );
  const query = queryOf(question);
  await comparePnl(own, query);
  await compareExposure(own, query, question);
  await compareTimeline(own, query, question);
  await compareAgents(own, query);
}

const sumOf = (rows: readonly Row[], name: 'exposure' | 'realised'): Fraction =>
  total(rows.map((row) => parse(row[name])));

const order = (x: Fraction, y: Fraction) => (isBelow(x, y) ? -1 : isBelow(y, x) ? 1 : 0);

/** What may still be lost, in full. */
const openOf = ({ exposure, realised }: Row): Fraction =>
  plus(parse(exposure), negative(parse(realised)));

/** Printed figures add up: what is open is what is left of the exposure without the losses. */
function printedSums(rows: readonly Row[]) {
  const [exposure, realised] = [cents(sumOf(rows, 'exposure')), cents(sumOf(rows, 'realised'))];
  return { exposure, realised, open: cents(plus(parse(exposure), negative(parse(realised)))) };
}

async function comparePnl(own: readonly Row[], query: string): Promise<void> {
  const pnl = dataOf(await client.get(`/analytics/ai-pnl?${query}`), Pnl);
  expect([pnl.decisions, pnl.expected_liability], query).toEqual([
    own.length,
    cents(sumOf(own, 'exposure')),
  ]);
}

async function compareExposure(
  own: readonly Row[],
  query: string,
  { top }: Question,
): Promise<void> {
  const answer = await client.get(`/analytics/liability?${query}&top=${top}`);
  const exposure = dataOf(answer, ExposureAnalysis);
  const { exposure: expected, ...sums } = printedSums(own);
  expect(exposure, query).toMatchObject({
    decisions: own.length,
    aggregate: { ...sums, expected },
  });
  const types = [...new Set(own.map(({ action_type }) => action_type))]
    .map((action_type) => own.filter((row) => row.action_type === action_type))
    .map((rows) => ({
      rows,
      open: rows.map(openOf).reduce(plus),
      name: rows[0]?.action_type ?? '',
    }))
    .sort((x, y) => order(y.open, x.open) || (x.name < y.name ? -1 : 1));
  expect(exposure.by_action_type).toEqual(
    types.map(({ rows, name }) => ({
      ...{ action_type: name, decisions: rows.length },
      ...printedSums(rows),
    })),
  );
  const dearest = [...own]
    .sort((x, y) => order(openOf(y), openOf(x)) || y.seq - x.seq)
    .slice(0, top);
  expect(exposure.top_decisions.map(({ decision_id }) => decision_id)).toEqual(
    dearest.map(({ decision_id }) => uuidToId('dec', decision_id)),
  );
}

/** The start of a bucket, computed by calendar. */
function bucketOf(at: number, bucket: Question['bucket']): string {
  const date = new Date(at);
  date.setUTCMinutes(0, 0, 0);
  if (bucket !== 'hour') date.setUTCHours(0);
  if (bucket === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  if (bucket === 'month' || bucket === 'quarter') date.setUTCDate(1);
  if (bucket === 'quarter') date.setUTCMonth(date.getUTCMonth() - (date.getUTCMonth() % 3));
  return date.toISOString();
}

async function compareTimeline(
  own: readonly Row[],
  query: string,
  { bucket, by }: Question,
): Promise<void> {
  const group = by === undefined ? '' : `&group_by=${by}`;
  const answer = await client.get(`/analytics/timeline?${query}&bucket=${bucket}${group}`);
  const { timeline } = dataOf(answer, Timeline);
  const found = timeline.filter(({ decisions }) => decisions > 0);
  const keyOf = (row: Row) =>
    by === undefined ? null : by === 'agent' ? row.agent_id : row.action_type;
  const places = new Map<string, Row[]>();
  for (const row of own) {
    const place = JSON.stringify([bucketOf(row.at, bucket), keyOf(row)]);
    places.set(place, [...(places.get(place) ?? []), row]);
  }
  const expected = [...places].sort(([x], [y]) => (x < y ? -1 : 1));
  expect(found.map(({ start, key }) => JSON.stringify([start, key]))).toEqual(
    expected.map(([place]) => place),
  );
  for (const [index, [, rows]] of expected.entries()) expectFigures(found[index], rows);
  expectExposure(timeline, own);
}

/** Printed exposures add up to the printed sum. */
function expectExposure(found: readonly Figures[], own: readonly Row[]): void {
  const printed = found.map(({ exposure }) => parse(exposure ?? 'none'));
  expect(cents(total(printed))).toBe(cents(sumOf(own, 'exposure')));
}

interface Figures {
  readonly decisions: number;
  readonly exposure: string | null;
  readonly mean_confidence: number | null;
  readonly human_review_share: number | null;
}

function expectFigures(found: Figures | undefined, rows: readonly Row[]): void {
  expect(found?.decisions).toBe(rows.length);
  expect(isNextTo(found?.exposure ?? 'none', sumOf(rows, 'exposure'))).toBe(true);
  const mean = rows.reduce((sum, { confidence }) => sum + confidence, 0) / rows.length;
  const overseen = rows.filter((row) => row.overseen).length / rows.length;
  expect(found?.mean_confidence).toBeCloseTo(mean, 5);
  expect(found?.human_review_share).toBeCloseTo(overseen, 5);
}

/** Reads every page, two agents at a time. */
async function compareAgents(own: readonly Row[], query: string): Promise<void> {
  const agents: AgentPage['agents'] = [];
  for (let cursor = ''; ; ) {
    const page = dataOf(await client.get(`/analytics/agents?${query}&limit=2${cursor}`), AgentPage);
    agents.push(...page.agents);
    if (page.next_cursor === null) break;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
  const exposures = agents.map(({ exposure }) => Number(exposure));
  expect([...exposures].sort((x, y) => y - x)).toEqual(exposures);
  const decided = agents.filter(({ decisions }) => decisions > 0);
  expect(decided.map(({ agent_id }) => agent_id).sort()).toEqual(
    [...new Set(own.map(({ agent_id }) => agent_id))].sort(),
  );
  expectExposure(agents, own);
  for (const agent of decided) {
    expectFigures(
      agent,
      own.filter(({ agent_id }) => agent_id === agent.agent_id),
    );
  }
}
