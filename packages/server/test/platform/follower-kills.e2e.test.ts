import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { embeddedConnection } from '../support/embedded.js';
import { embeddedEnvironment, readKeys } from '../support/service-process.js';
import { expectFollowed } from './support/expect-followed.js';
import { killFollowers } from './support/follower-kills.js';

/** One while a follower is behind, and one at any time. The long run has many. */
const KILLS = 2;
const dataDir = mkdtempSync(join(tmpdir(), 'decision-ledger-followers-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

it(`${KILLS} kills at random moments leave each record taken once by each follower`, async () => {
  const place = {
    environment: embeddedEnvironment(dataDir),
    liveKey: () => readKeys(dataDir).live,
    connection: () => embeddedConnection(dataDir),
  };
  const survived = await killFollowers(place, { kills: KILLS, seed: 1 });
  // Otherwise the kills came while all followers were at rest.
  expect(Math.max(...survived.behind.values())).toBeGreaterThan(0);
  await expectFollowed(place, survived);
});
