import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BASELINES } from '../../../../../evaluation/baselines.js';
import { goalsOf, goalsOfAll } from '../../../../../evaluation/goals.js';
import { measureWorld } from '../../../../../evaluation/measure.js';
import { createReviewer, withoutTruth } from '../../../../../evaluation/method.js';
import { calibrationError, judge, measure, noiseFloor } from '../../../../../evaluation/metrics.js';
import {
  fromCsv,
  merge,
  renewBlock,
  toBlocks,
  toCsv,
} from '../../../../../evaluation/published.js';
import { createRandom } from '../../../../../evaluation/random.js';
import { WORLDS } from '../../../../../evaluation/worlds/registry.js';
import { ROOT } from '../../support/paths.js';

const DAY = 24 * 3_600_000;
const NOON = Date.UTC(2025, 0, 6, 12);
const SETTINGS = { base_currency: 'USD', rates: { EUR: { '2025-01-06': 2 } } };

const decision = (ref: string, timestamp: number, outputs: object) => ({
  ...{ ref, agent_id: 'a', action_type: 'act', timestamp, metadata: {}, inputs: {}, outputs },
  ...{ alternatives: [], confidence: 0.5 },
});

const event = (fields: object) => ({
  ...{ ref: 'e', source: 's', event_type: 't', external_id: null, amount: '50.00' },
  ...{ currency: 'USD', timestamp: NOON, recorded: NOON + DAY, metadata: {}, cause: null },
  ...{ case_ref: null, kind: 'causeless' as const, identified: false, ...fields },
});

/** The decision that a baseline names for one event, null for none. */
async function named(name: string, decisions: ReturnType<typeof decision>[], fields: object) {
  const method = BASELINES.find((one) => one.name === name);
  if (method === undefined) throw new Error(`no ${name}`);
  const world = {
    name: 'w',
    description: '',
    decisions,
    events: [event(fields)],
    settings: SETTINGS,
  };
  const review = () => undefined;
  const options = { reviews: 0, wrong: 0, seed: 1, reviewable: 0, review };
  for await (const outcome of method.run(world, options)) return outcome.ranked[0]?.ref ?? null;
  return null;
}

describe('The worlds of the evaluation', () => {
  it.for(Object.keys(WORLDS))('The world %s is the same for the same seed', (name) => {
    const text = (seed: number) => JSON.stringify(WORLDS[name]?.(seed, 60));
    expect(text(3)).toBe(text(3));
    expect(text(3)).not.toBe(text(4));
  });

  it.for(Object.keys(WORLDS))(
    'The world %s has as many events as asked, and known causes',
    (name) => {
      const world = WORLDS[name]?.(1, 200);
      if (world === undefined) throw new Error('no world');
      const at = new Map(world.decisions.map(({ ref, timestamp }) => [ref, timestamp]));
      expect(world.events).toHaveLength(200);
      for (const { cause, kind, recorded } of world.events) {
        expect(cause === null).toBe(kind !== 'caused');
        if (cause !== null) expect(at.get(cause)).toBeLessThanOrEqual(recorded);
      }
    },
  );

  it('A method sees nothing of the truth', () => {
    const world = WORLDS.company?.(1, 30);
    if (world === undefined) throw new Error('no world');
    const seen = JSON.stringify(withoutTruth(world).events);
    expect(seen).not.toMatch(/"(cause|case_ref|kind|identified)"/);
    expect(withoutTruth(world)).not.toHaveProperty('cases');
  });

  it('A case is the transaction of the cause, and no customer', () => {
    const stepsOf = (name: string) => {
      const world = WORLDS[name]?.(1, 200);
      if (world === undefined) throw new Error('no world');
      return world.events
        .filter(({ cause }) => cause !== null)
        .map(({ case_ref }) => {
          const isOfCase = (ids: ReadonlySet<string>) => case_ref !== null && ids.has(case_ref);
          return [...world.cases.values()].filter(isOfCase).length;
        });
    };
    // Of a booking: its price, payment and status, mostly the booking, at most two steps of its end.
    expect(Math.max(...stepsOf('chain'))).toBe(6);
    expect(Math.min(...stepsOf('chain'))).toBe(3);
    expect(new Set(stepsOf('confounded'))).toEqual(new Set([0]));
    const { events, cases } = WORLDS['lump-payments']?.(1, 200) ?? { events: [], cases: new Map() };
    for (const { cause, case_ref } of events) {
      if (cause !== null) expect(cases.get(cause)?.has(case_ref)).toBe(true);
    }
  });
});

describe('The join', () => {
  const older = decision('older', NOON - 2 * DAY, { order: 'A-1001', total: '50.00' });
  const newer = decision('newer', NOON - DAY, { order: 'A-1001', total: '70.00' });

  it('The join prefers more shared identifiers, then the equal amount, then the latest', async () => {
    const metadata = { order: 'A-1001', payer: 'p77x' };
    const both = decision('both', NOON - 3 * DAY, { order: 'A-1001', by: 'p77x' });
    expect(await named('join', [both, older, newer], { metadata })).toBe('both');
    expect(await named('join', [older, newer], { metadata })).toBe('older');
    expect(await named('join', [older, newer], { metadata, amount: '12.00' })).toBe('newer');
    expect(await named('same id', [older, newer], { metadata })).toBe('newer');
  });

  it('The join names nobody without an exactly equal identifier', async () => {
    expect(await named('join', [older, newer], {})).toBeNull();
    expect(await named('join', [older, newer], { metadata: { order: 'a-1001' } })).toBeNull();
    expect(await named('last touch', [older, newer], {})).toBe('newer');
  });

  it('The join takes a midnight for the whole day and any other time as it is', async () => {
    const metadata = { order: 'A-1001' };
    const sameDay = decision('same-day', NOON, { order: 'A-1001' });
    expect(await named('join', [sameDay], { metadata, timestamp: NOON - DAY / 2 })).toBe(
      'same-day',
    );
    expect(await named('join', [sameDay], { metadata, timestamp: NOON - 1 })).toBeNull();
  });
});

describe('The reviewer of the evaluation', () => {
  it('The reviewer answers for the first third only, and no more often than allowed', () => {
    const decisions = [decision('d', NOON - DAY, {})];
    const events = [1, 2, 3].map((at) => event({ ref: `e${at}`, cause: 'd', kind: 'caused' }));
    const cases = new Map();
    const world = { name: 'w', description: '', decisions, events, cases, settings: SETTINGS };
    const options = { reviews: 1, wrong: 0, reviewable: 2, random: createRandom(1) };
    const review = createReviewer(world, options);
    expect(events.map((one) => review(one))).toEqual(['d', undefined, undefined]);
    const wrong = createReviewer(world, { ...options, wrong: 1, random: createRandom(1) });
    expect(wrong(events[0] ?? event({}))).toBeNull();
  });
});

describe('The metrics of the evaluation', () => {
  const guess = (share: number, ref = 'd') => ({ ref, share, label: 'guessed' as const });

  it('The metrics equal those worked out by hand', () => {
    const right = event({ cause: 'd', kind: 'caused', identified: true });
    const missed = event({ cause: 'x', kind: 'caused', currency: 'EUR' });
    const [one, two, three] = [[guess(0.8), guess(0.2, 'y')], [guess(0.5)], [guess(0.4)]];
    const world = { settings: SETTINGS, cases: new Map() };
    const judged = [
      judge({ event: right, ranked: one, suggested: one.slice(0, 1), none: 0 }, right, world),
      judge({ event: missed, ranked: two, suggested: [], none: 0.5 }, missed, world),
      judge({ event: event({}), ranked: three, suggested: three, none: 0.6 }, event({}), world),
    ];
    const figures = measure(judged);
    expect(figures).toMatchObject({ right_first: 0.5, right_identified: 1, causeless: 1 });
    // 50 × 0.8 and 50 × 0.4 of 50 and 50 EUR at 2.
    expect(figures.allocated).toBeCloseTo(60 / 150, 12);
    // 0.04 + 0.04, then 0.25 + 0.25 + 1 for the cause that is not ranked, then 0.16 + 0.16.
    expect(figures.brier).toBeCloseTo((0.08 + 1.5 + 0.32) / 3, 12);
    // Of two causes, one is found, at the greatest share.
    expect(figures.pr_auc).toBeCloseTo(0.5, 12);
    expect(figures).toMatchObject({ precision_guessed: 0.5, recall_guessed: 0.5 });
  });

  it('A match is right if all of its decisions are about the transaction of the cause', () => {
    const match = (ref: string, share: number) => ({ ref, share, label: 'matched' as const });
    const cases = new Map(
      Object.entries({ d: ['O1'], other: ['O1', 'O2'], far: ['O2'] }).map(
        ([ref, ids]) => [ref, new Set(ids)] as const,
      ),
    );
    const judgeOne = (cause: string | null, case_ref: string | null, refs: string[]) => {
      const truth = event({ cause, case_ref, kind: cause === null ? 'causeless' : 'caused' });
      const suggested = refs.map((ref) => match(ref, 0.5));
      const outcome = { event: truth, ranked: suggested, suggested, none: 0.1 };
      return judge(outcome, truth, { settings: SETTINGS, cases });
    };
    const judged = [
      judgeOne('d', 'O1', ['other', 'd']),
      judgeOne('d', 'O1', ['other', 'far']),
      judgeOne('d', 'O1', ['far']),
      // Without a case, only the cause itself is right.
      judgeOne('d', null, ['other']),
      judgeOne('d', null, ['d']),
      judgeOne(null, null, ['d']),
    ];
    const figures = measure(judged);
    expect(figures.precision_matched_case).toBeCloseTo(2 / 6, 12);
    expect(figures.right_case_first).toBeCloseTo(3 / 5, 12);
    // Eight halves of 50 are matched, and 3 × 50 have the right case first.
    expect(figures.matched_of_first_case).toBeCloseTo(200 / 150, 12);
  });

  it('A perfect model has the error of the noise floor, a boastful one has more', () => {
    const random = createRandom(5);
    const firsts = Array.from({ length: 4000 }, () => {
      const share = random.next();
      return { share, isRight: random.chance(share) };
    });
    const boastful = firsts.map(({ isRight }) => ({ share: 1, isRight }));
    expect(calibrationError(firsts)).toBeLessThan(2 * noiseFloor(firsts));
    expect(calibrationError(boastful)).toBeCloseTo(
      1 - firsts.filter(({ isRight }) => isRight).length / firsts.length,
      10,
    );
  });
});

describe('The goals of the evaluation', () => {
  const row = (lead: number, cases = { matched: 0, right: 0 }, mean = {}) => ({
    ...{ method: 'product', budget: { reviews: 0, wrong: 0 }, mean, worst: {}, micros: 1 },
    ...{ pooled: { ece: 0, floor: 0, count: 0, cases }, lead: { mean: lead, error: 0.02 } },
  });
  const isMet = (lead: number, isSmall: boolean) =>
    goalsOf({ name: 'w', rows: [row(lead)] }, isSmall)[0]?.met;

  it('A world below the join is missed, in a small run by more than two standard errors', () => {
    expect([isMet(-0.009, false), isMet(-0.011, false)]).toEqual([true, false]);
    expect([isMet(-0.049, true), isMet(-0.051, true)]).toEqual([true, false]);
  });

  it('A world misses the precision of matches only where chance explains it in less than one of twenty', () => {
    const goalFor = (matched: number, right: number) =>
      goalsOf({ name: 'w', rows: [row(0, { matched, right })] }, false).find(
        ({ title }) => title === 'matched, right case',
      )?.met;
    // Of 30 right ones with .9, at most 23 come in 2.6 of 100 cases, and at most 24 in 7.3.
    expect([goalFor(30, 23), goalFor(30, 24), goalFor(29, 0)]).toEqual([false, true, undefined]);
    expect([goalFor(10_000, 8940), goalFor(10_000, 8960)]).toEqual([false, true]);
  });

  it('All worlds together need a higher precision, and the median world half of the money', () => {
    const worldOf = (name: string, matched: number, right: number, part: number) => ({
      name,
      rows: [row(0, { matched, right }, { matched_of_first_case: part })],
    });
    const worlds = [worldOf('a', 90, 90, 0.9), worldOf('b', 10, 4, 0.45), worldOf('c', 0, 0, 0)];
    expect(goalsOfAll(worlds).map(({ value, met }) => [value, met])).toEqual([
      [0.94, false],
      [0.45, false],
    ]);
  });
});

describe('The published results', () => {
  const text = readFileSync(join(ROOT, 'docs/data/attribution-evaluation.csv'), 'utf8');
  const published = fromCsv(text);

  it('The tables of the page follow from the data file', () => {
    const page = readFileSync(join(ROOT, 'docs/attribution-evaluation.md'), 'utf8');
    const blocks = Object.entries(toBlocks(published));
    expect(blocks.reduce((result, [name, block]) => renewBlock(result, name, block), page)).toBe(
      page,
    );
    expect(toCsv(published)).toBe(text);
  });

  it('A measured world replaces its own rows of the data file, and no others', async () => {
    const create = WORLDS.retail;
    if (create === undefined) throw new Error('no world');
    const budget = { reviews: 0, wrong: 0 };
    const scale = { seeds: [1], size: 60, budgets: [budget] };
    const measured = await measureWorld('retail', create, BASELINES, scale);
    const merged = merge({ worlds: [measured], goals: [] }, published);
    const others = (rows: typeof published) => rows.filter(({ world }) => world !== 'retail');
    expect(others(merged)).toEqual(others(published));
    const fresh = merged.filter(({ world }) => world === 'retail');
    expect(fresh.map(({ method, events }) => [method, events])).toEqual(
      BASELINES.map(({ name }) => [name, '60']),
    );
    expect(merged.findIndex(({ world }) => world === 'retail')).toBe(
      published.findIndex(({ world }) => world === 'retail'),
    );
    expect(fromCsv(toCsv(merged))).toEqual(merged);
  });
});
