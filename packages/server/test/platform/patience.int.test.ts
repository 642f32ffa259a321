import { setTimeout as pause } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Patience, serviceLogin } from '#server/platform/connection';
import { type Database, openDatabase } from '#server/platform/database';
import { openTestService, type TestService } from '../support/service.js';

let bed: TestService;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
afterAll(() => bed.close());

/** A database with one connection, which is taken until `leave` is called. */
async function taken(patience?: Patience): Promise<{ db: Database; leave: () => Promise<void> }> {
  const db = openDatabase({
    ...{ ...serviceLogin(bed.service.storage.address), maxConnections: 1 },
    ...(patience !== undefined && { patience }),
  });
  let leave = () => {};
  const until = new Promise<void>((resolve) => {
    leave = resolve;
  });
  let begun = () => {};
  const begin = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const holder = db.transaction(async (tx) => {
    await tx.query(sql`select 1`);
    begun();
    await until;
  });
  await begin;
  const end = async () => {
    leave();
    await holder;
  };
  return { db, leave: end };
}

describe('Patience with a busy database', () => {
  it('A command waits for longer than a service would, says so, and then goes on', async () => {
    const waits: number[] = [];
    const { db, leave } = await taken({
      ...{ connectMs: 60_000, awayMs: 0, noticeMs: 50 },
      onWait: (ms) => waits.push(ms),
    });
    // On a busy machine, the connection that is taken was awaited, too.
    waits.length = 0;
    const asked = db.query<{ one: number }>(sql`select 1 as one`);
    await expect.poll(() => waits.length).toBeGreaterThan(1);
    await leave();
    expect(await asked).toEqual([{ one: 1 }]);
    expect(waits.slice(0, 2)).toEqual([50, 100]);
    const { length } = waits;
    await pause(150);
    expect(waits).toHaveLength(length);
    await db.close();
  });

  it('It gives up in the end, with the answer of a service', async () => {
    const { db, leave } = await taken({
      ...{ connectMs: 100, awayMs: 0, noticeMs: 1000 },
      onWait: () => undefined,
    });
    await expect(db.query(sql`select 1`)).rejects.toMatchObject({
      ...{ code: 'unavailable', message: 'all 1 connections to the database are in use' },
    });
    await leave();
    await db.close();
  });

  it('A service gives up long before a command does', async () => {
    const { db, leave } = await taken();
    const start = performance.now();
    await expect(db.query(sql`select 1`)).rejects.toMatchObject({ code: 'unavailable' });
    // A command waits for five minutes.
    expect(performance.now() - start).toBeLessThan(60_000);
    await leave();
    await db.close();
  });
});
