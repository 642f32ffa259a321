import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { expect, it } from 'vitest';
import { embeddedConnection } from '../support/embedded.js';
import { createDatabase, describePostgres } from '../support/postgres.js';
import {
  createOrganisation,
  embeddedEnvironment,
  postgresEnvironment,
  readKeys,
} from '../support/service-process.js';
import { expectFollowed } from './support/expect-followed.js';
import { type KilledPlace, killFollowers } from './support/follower-kills.js';

/** So that a trial of this file can use fewer, or other moments. */
const KILLS = Number(process.env.LONG_TEST_KILLS ?? 200);
const SEED = Number(process.env.LONG_TEST_SEED ?? 1);
const NAME = `${KILLS} kills at random moments leave each record taken once by each follower`;

async function survives(engine: string, place: KilledPlace): Promise<void> {
  const started = performance.now();
  const survived = await killFollowers(place, { kills: KILLS, seed: SEED });
  await expectFollowed(place, survived);
  const { journal, book, behind } = survived;
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  console.info(
    `${engine}: ${KILLS} kills in ${minutes} min; ${journal.decisions} decisions, ${book.events.size} events and ` +
      `${book.links.size} links answered; behind when killed: ${JSON.stringify(Object.fromEntries(behind))}`,
  );
  for (const [name, kills] of behind) expect(kills, name).toBeGreaterThan(KILLS / 20);
}

it(`${NAME}, on the embedded engine`, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'decision-ledger-followers-'));
  await survives('embedded', {
    environment: embeddedEnvironment(dataDir),
    liveKey: () => readKeys(dataDir).live,
    connection: () => embeddedConnection(dataDir),
  });
  rmSync(dataDir, { recursive: true });
});

describePostgres('PostgreSQL', () => {
  it(`${NAME}, on PostgreSQL`, async () => {
    const database = await createDatabase();
    const environment = postgresEnvironment(database.url);
    const { live } = await createOrganisation(environment, 'acme');
    await survives('PostgreSQL', {
      environment,
      liveKey: () => live,
      connection: async () => ({ connectionString: database.url }),
    });
    await database.drop();
  });
});
