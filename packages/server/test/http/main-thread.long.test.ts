import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fill, reopen, type World } from '../../../../benchmarks/main-thread/data.js';
import { operationsOf, worstOf } from '../../../../benchmarks/main-thread/measure.js';
import { serveMetered } from '../../../../benchmarks/main-thread/service.js';
import { temporaryFolder } from '../../../../benchmarks/support/service.js';

/** Of the documented maxima, and of the data of the full measurement. */
const SHARE = 0.25;
/** Longest work that delays all other requests, in ms of CPU. */
const MOST = 100;
/** What runs beside can only add to a figure: it fills the caches of the processor. */
const TRIES = 3;

const folder = temporaryFolder();
let world: World;

beforeAll(async () => {
  world = await reopen(await fill(await serveMetered(folder.path), SHARE), folder.path);
}, 600_000);
afterAll(async () => {
  await world.stop();
  folder.remove();
});

describe('The main thread', () => {
  it('No operation holds it for long at a quarter of its documented maximum', async () => {
    const operations = await operationsOf(world.url);
    expect(operations.length).toBeGreaterThan(60);
    const above: Record<string, number> = {};
    for (const operation of operations) {
      let worst = Number.POSITIVE_INFINITY;
      for (let tries = 0; tries < TRIES && worst > MOST; tries += 1) {
        worst = Math.min(worst, await worstOf(world, operation));
      }
      if (worst > MOST) above[operation] = Math.round(worst);
    }
    expect(above).toEqual({});
  });

  it('The meter sees the work of a large body', async () => {
    expect(await worstOf(world, 'recordDecisions')).toBeGreaterThan(5);
  });

  it('An operation without a request in the measurement is named', async () => {
    await expect(worstOf(world, 'listNothing')).rejects.toThrow('listNothing');
  });
});
