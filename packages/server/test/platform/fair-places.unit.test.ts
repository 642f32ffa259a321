import { describe, expect, it } from 'vitest';
import { FairPlaces, type Place } from '#server/platform/fair-places';

/** Who got a place, in order, and the places that they hold. */
function watched(limits: ConstructorParameters<typeof FairPlaces>[0]) {
  const places = new FairPlaces(limits);
  const granted: string[] = [];
  const held: Place[] = [];
  const take = (owner: string) => {
    const place = places.take(owner);
    const keep = (got: Place) => {
      granted.push(owner);
      held.push(got);
    };
    if (place instanceof Promise) void place.then(keep);
    else keep(place);
  };
  const release = async (at: number) => {
    held[at]?.release();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { take, release, granted, held };
}

describe('Places that owners share', () => {
  it('An owner gets no more than its part, although others are free', async () => {
    const { take, release, granted } = watched({ all: 4, each: 2, waiting: 10 });
    for (let n = 0; n < 5; n += 1) take('a');
    expect(granted).toEqual(['a', 'a']);
    take('b');
    expect(granted).toEqual(['a', 'a', 'b']);
    await release(0);
    expect(granted).toEqual(['a', 'a', 'b', 'a']);
  });

  it('A free place goes to the owner with the fewest, and then to the one who has waited longest for a turn', async () => {
    const { take, release, granted } = watched({ all: 3, each: 3, waiting: 10 });
    for (const owner of ['a', 'a', 'a', 'a', 'a', 'b', 'c', 'b']) take(owner);
    for (const at of [0, 1, 2]) await release(at);
    expect(granted).toEqual(['a', 'a', 'a', 'b', 'c', 'a']);
    await release(3);
    expect(granted.slice(6)).toEqual(['b']);
  });

  it('A place that is given back twice is free once', async () => {
    const { take, release, granted } = watched({ all: 1, each: 1, waiting: 10 });
    for (const owner of ['a', 'b', 'c']) take(owner);
    await release(0);
    await release(0);
    expect(granted).toEqual(['a', 'b']);
  });

  it('Too many that wait for one owner are refused, and those of another one are not', () => {
    const { take, granted } = watched({ all: 1, each: 1, waiting: 2 });
    for (const owner of ['a', 'a', 'a']) take(owner);
    expect(() => take('a')).toThrow(/too many requests of this organisation wait/);
    take('b');
    expect(granted).toEqual(['a']);
  });

  it('Any sequence keeps the limits, and nobody waits while a place is free for them', async () => {
    let seed = 1;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const limits = { all: 5, each: 3, waiting: 1000 };
    const { take, release, granted, held } = watched(limits);
    const asked = new Map<string, number>();
    const open = new Set<number>();
    const closed = new Set<number>();
    /** Takes note of the places that were granted since. */
    const known = () => {
      for (let at = 0; at < held.length; at += 1) if (!closed.has(at)) open.add(at);
    };
    for (let step = 0; step < 2000; step += 1) {
      known();
      if (random(2) === 0 || open.size === 0) {
        const owner = 'abcd'[random(4)] ?? 'a';
        asked.set(owner, (asked.get(owner) ?? 0) + 1);
        take(owner);
      } else {
        const at = [...open][random(open.size)] ?? 0;
        open.delete(at);
        closed.add(at);
        await release(at);
      }
      const taken = new Map<string, number>();
      for (const [at, owner] of granted.entries()) {
        if (!closed.has(at)) taken.set(owner, (taken.get(owner) ?? 0) + 1);
      }
      const all = [...taken.values()].reduce((sum, count) => sum + count, 0);
      expect(all).toBeLessThanOrEqual(limits.all);
      for (const [owner, count] of asked) {
        const own = taken.get(owner) ?? 0;
        expect(own).toBeLessThanOrEqual(limits.each);
        const waits = count > granted.filter((one) => one === owner).length;
        if (waits) expect(all === limits.all || own === limits.each).toBe(true);
      }
    }
  });
});
