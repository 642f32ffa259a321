import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createCaller, liftRateLimits } from '../support/caller.js';
import { embeddedConnection } from '../support/embedded.js';
import { expectKept } from '../support/expect-kept.js';
import { Journal, type Outcome, orderOf, runWriters, send } from '../support/load.js';
import { embeddedEnvironment, readKeys, startService } from '../support/service-process.js';

const disk = makeSmallDisk();
const why = 'reason' in disk ? ` (skipped: ${disk.reason})` : '';
if ('reason' in disk) console.warn(`\nSKIPPED: the tests on a full disk: ${disk.reason}.\n`);

/** A small file system that fills up; only root may mount one. */
function makeSmallDisk(): { folder: string } | { reason: string } {
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-disk-'));
  try {
    command('mount', '-t', 'tmpfs', '-o', 'size=256m', 'tmpfs', folder);
    return { folder };
  } catch {
    rmSync(folder, { recursive: true });
    return { reason: 'a small file system cannot be mounted here' };
  }
}

function command(program: string, ...args: readonly string[]): void {
  execFileSync(program, args, { stdio: 'pipe' });
}

describe.skipIf('reason' in disk)(`Full disk under the embedded ledger${why}`, () => {
  const folder = 'folder' in disk ? disk.folder : '';
  const ballast = join(folder, 'ballast');
  let dataDir = '';
  let runs = 0;

  beforeEach(() => {
    runs += 1;
    dataDir = join(folder, `run-${runs}`);
  });
  afterAll(() => {
    command('umount', '--lazy', folder);
    rmSync(folder, { recursive: true });
  });

  function leaveFree(bytes: number): void {
    const { bavail, bsize } = statfsSync(folder);
    writeFileSync(ballast, Buffer.alloc(bavail * bsize - bytes));
  }

  it('A ledger whose tables cannot grow refuses writes and recovers when there is space', async () => {
    const journal = new Journal();
    const service = await startService(embeddedEnvironment(dataDir));
    const caller = createCaller(service.url, readKeys(dataDir).live);
    await liftRateLimits(caller);
    const write = (name: string) => send(caller, journal, { ...orderOf(name, 1), size: 100 });
    leaveFree(2_000_000);
    const refusals = await writeUntilRefused(write);
    expect(refusals.every(({ kind }) => kind === 'refused')).toBe(true);
    rmSync(ballast);
    for (const n of [1, 2, 3]) {
      expect(await write(`after-${n}`)).toMatchObject({ kind: 'acknowledged' });
    }
    await expectKept(await embeddedConnection(dataDir), caller, journal);
    caller.close();
    await service.stop();
  });

  it('A ledger whose write-ahead log cannot grow stops, and has lost nothing after a restart', async () => {
    const journal = new Journal();
    const service = await startService(embeddedEnvironment(dataDir));
    const caller = createCaller(service.url, readKeys(dataDir).live);
    await liftRateLimits(caller);
    // Enough for the tables, and less than the next segment of the log.
    leaveFree(14_000_000);
    const refusals = await writeUntilRefused((name) =>
      send(caller, journal, { ...orderOf(name, 1), size: 100 }),
    );
    expect(refusals.length).toBeGreaterThan(0);
    expect(await service.ended).toBe(1);
    expect(service.output()).toMatch(/the data folder \S+ is full\. Free some space/);
    caller.close();
    rmSync(ballast);
    const again = await startService(embeddedEnvironment(dataDir));
    const caller2 = createCaller(again.url, readKeys(dataDir).live);
    await expectKept(await embeddedConnection(dataDir), caller2, journal);
    expect(await send(caller2, journal, orderOf('after', 1))).toMatchObject({
      kind: 'acknowledged',
    });
    caller2.close();
    await again.stop();
  });
});

/** Eight writers; each stops after its third refusal. */
async function writeUntilRefused(write: (name: string) => Promise<Outcome>): Promise<Outcome[]> {
  const refusals: Outcome[] = [];
  const left = new Map<number, number>();
  await runWriters(8, async (writer, n) => {
    const outcome = await write(`full-${writer}-${n}`);
    if (outcome.kind === 'acknowledged') return true;
    refusals.push(outcome);
    left.set(writer, (left.get(writer) ?? 3) - 1);
    return left.get(writer) !== 0;
  });
  return refusals;
}
