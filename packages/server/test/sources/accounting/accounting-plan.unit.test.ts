import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Found,
  type KnownRecord,
  matchRecords,
  nameOfKey,
} from '#server/domains/sources/accounting/rules/match';
import { makePlan, type Plan } from '#server/domains/sources/accounting/rules/plan';
import type {
  SourceProblem,
  SourceRecord,
  Traits,
} from '#server/domains/sources/accounting/rules/source-record';

interface Movement {
  readonly day: number;
  readonly code: string;
  readonly cents: number;
  readonly text: string;
}

const traitsOf = ({ day, code, cents, text }: Movement): Traits => ({
  ...{ day: `2026-01-${10 + day}`, account: 'revenues', code, text },
  money: `${cents} USD`,
});

function recordOf(movement: Movement): SourceRecord {
  const { day, code, cents } = movement;
  const fingerprint = JSON.stringify(movement);
  return {
    ...(code === ''
      ? { name: `content/${fingerprint}`, identity: 'content' as const }
      : { name: `code/${code}/revenues`, identity: 'code' as const }),
    ...{ fingerprint, where: `line ${day}`, traits: traitsOf(movement) },
    event: {
      ...{ event_type: 'revenue', amount: `${cents}`, currency: 'USD' },
      timestamp: `2026-01-${10 + day}T00:00:00.000Z`,
    },
  };
}

const withId = (id: string, content: string | null): SourceRecord => ({
  ...{ name: `Payment/${id}`, identity: 'id', fingerprint: content ?? '', where: id },
  event:
    content === null
      ? null
      : {
          ...{ event_type: 'payment', amount: '1', currency: 'USD' },
          timestamp: '2026-01-01T00:00:00.000Z',
        },
});

const ids = fc.constantFrom('1', '2', '3', '__proto__');
const listed = fc
  .tuple(ids, fc.option(fc.constantFrom('a', 'b', 'c')))
  .map(([id, content]) => withId(id, content));
const posted = fc
  .record({
    ...{ day: fc.nat(2), code: fc.constantFrom('', 'A', 'B'), cents: fc.nat(2) },
    text: fc.constantFrom('', 'rent', 'rents', 'coffee'),
  })
  .map(recordOf);
const changes = fc.record({
  records: fc.array(listed, { maxLength: 8 }),
  isComplete: fc.constant(false),
});
const books = fc.record({
  records: fc.array(posted, { maxLength: 8 }),
  isComplete: fc.constant(true),
});
const histories = fc.oneof(
  fc.array(changes, { minLength: 1, maxLength: 5 }),
  fc.array(books, { minLength: 1, maxLength: 5 }),
);

/** What was recorded, as the tables have it. */
class Recorded {
  readonly known = new Map<string, KnownRecord>();
  readonly traits = new Map<string, Traits>();
  #events = 0;

  plan(found: Pick<Found, 'records' | 'isComplete'>, problems: SourceProblem[] = []): Plan {
    const all = { ...found, problems };
    const { traits } = this;
    return makePlan(matchRecords([...this.known.values()], all), all, {
      ...{ traits, refuse: () => null },
    });
  }

  /** Refuses what is impossible in this state. */
  apply(plan: Plan): void {
    for (const { former } of [...plan.changed, ...plan.revived]) {
      expect(this.known.get(former.key)).toEqual(former);
      this.known.delete(former.key);
    }
    for (const former of plan.gone) {
      expect(this.known.get(former.key)).toEqual({ ...former, isDeleted: false });
      this.known.set(former.key, { ...former, isDeleted: true });
    }
    for (const { key, record } of [...plan.created, ...plan.changed, ...plan.revived]) {
      expect(this.known.has(key)).toBe(false);
      this.#events += 1;
      const eventId = `event ${this.#events}`;
      this.known.set(key, { key, fingerprint: record.fingerprint, eventId, isDeleted: false });
      if (record.traits !== undefined) this.traits.set(eventId, record.traits);
    }
  }

  alive(): string[] {
    const live = [...this.known.values()].filter(({ isDeleted }) => !isDeleted);
    return live.map(({ key, fingerprint }) => `${nameOfKey(key)} ${fingerprint}`).sort();
  }
}

/** What the polls leave, without a plan. */
function expected(polls: readonly Pick<Found, 'records' | 'isComplete'>[]): string[] {
  let state: SourceRecord[] = [];
  for (const { records, isComplete } of polls) {
    const last = new Map(records.map((record) => [record.name, record]));
    state = isComplete
      ? [...records]
      : [...state.filter(({ name }) => !last.has(name)), ...last.values()];
  }
  return state
    .filter(({ event }) => event !== null)
    .map(({ name, fingerprint }) => `${name} ${fingerprint}`)
    .sort();
}

describe('Plan of a poll', () => {
  it('Plans make the recorded events equal to the books, poll by poll', () => {
    fc.assert(
      fc.property(histories, (polls) => {
        const recorded = new Recorded();
        for (const [index, poll] of polls.entries()) {
          recorded.apply(recorded.plan(poll));
          expect(recorded.alive()).toEqual(expected(polls.slice(0, index + 1)));
        }
      }),
    );
  });

  it('The same books again change nothing, in any order', () => {
    fc.assert(
      fc.property(histories, fc.nat(), (polls, from) => {
        const recorded = new Recorded();
        for (const poll of polls) recorded.apply(recorded.plan(poll));
        const last = polls.at(-1);
        const records = last?.records ?? [];
        // Of two records with one id, the last counts.
        const isListed = last?.isComplete === false;
        const at = records.length === 0 || isListed ? 0 : from % records.length;
        const turned = [...records.slice(at), ...records.slice(0, at)];
        const plan = recorded.plan({ records: turned, isComplete: last?.isComplete ?? true });
        expect(plan).toMatchObject({ created: [], changed: [], revived: [], gone: [] });
      }),
    );
  });

  it('A poll that could not identify a record deletes nothing, and finds the same afterwards', () => {
    fc.assert(
      fc.property(books, books, (before, after) => {
        const recorded = new Recorded();
        recorded.apply(recorded.plan(before));
        const unknown = { where: 'line 1', reason: 'no', about: null };
        const plan = recorded.plan(after, [unknown]);
        expect(plan.gone).toEqual([]);
        expect(plan.problems[0]).toBe('line 1: no');
        recorded.apply(plan);
        recorded.apply(recorded.plan(after));
        expect(recorded.alive()).toEqual(expected([after]));
      }),
    );
  });

  it('A deleted record that returns is revived, with a code even if it was edited', () => {
    for (const code of ['', 'A']) {
      const movement = { day: 1, code, cents: 5, text: 'rent' };
      const recorded = new Recorded();
      recorded.apply(recorded.plan({ records: [recordOf(movement)], isComplete: true }));
      recorded.apply(recorded.plan({ records: [], isComplete: true }));
      const now = code === '' ? movement : { ...movement, cents: 6 };
      const plan = recorded.plan({ records: [recordOf(now)], isComplete: true });
      expect(plan).toMatchObject({ created: [], revived: [{ former: { eventId: 'event 1' } }] });
    }
  });

  it('Two records with different codes are never the same', () => {
    const movement = { day: 1, code: 'A', cents: 5, text: 'rent' };
    const recorded = new Recorded();
    recorded.apply(recorded.plan({ records: [recordOf(movement)], isComplete: true }));
    const other = recordOf({ ...movement, code: 'B' });
    const plan = recorded.plan({ records: [other], isComplete: true });
    expect(plan).toMatchObject({ created: [{ record: other }], changed: [] });
    expect(plan.gone).toHaveLength(1);
  });

  it('Several edits under one code are taken in order and reported, unless their content tells', () => {
    const of = (day: number, cents: number, text: string) =>
      recordOf({ ...{ day, cents, text }, code: 'ATM' });
    const recorded = new Recorded();
    const before = [of(1, 5, 'rent'), of(2, 6, 'coffee')];
    recorded.apply(recorded.plan({ records: before, isComplete: true }));
    const clear = recorded.plan({
      ...{ records: [of(2, 6, 'coffees'), of(1, 5, 'rents')], isComplete: true },
    });
    const pairs = ({ changed }: Plan) =>
      changed.map(({ former, record }) => [former.eventId, record.traits?.text]).sort();
    expect(pairs(clear)).toEqual([
      ['event 1', 'rents'],
      ['event 2', 'coffees'],
    ]);
    expect(clear.problems).toEqual([]);
    const guessed = recorded.plan({
      ...{ records: [of(3, 8, 'tea'), of(4, 9, 'milk')], isComplete: true },
    });
    expect(pairs(guessed)).toEqual([
      ['event 1', 'tea'],
      ['event 2', 'milk'],
    ]);
    expect(guessed.problems).toEqual([
      expect.stringMatching(/^line 3: edited\?/),
      expect.stringMatching(/^line 4: edited\?/),
    ]);
  });
});
