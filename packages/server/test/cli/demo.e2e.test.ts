import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ledger } from '@decision-ledger/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningDemo, startDemo } from '../support/demo-process.js';
import { cpuSeconds, type RunningCommand, runCommand } from '../support/service-process.js';

/** What a start may take once the year is prepared. */
const READY_CPU_SECONDS = 20;

const folder = mkdtempSync(join(tmpdir(), 'demo-'));
/** Temporary folders of the command are here, so that a test can see whether they are removed. Sockets need short paths. */
const temporary = join(folder, 't');
const MONTH_MS = 31 * 86_400_000;
const environment = { TMPDIR: temporary };
mkdirSync(temporary);

async function stopped(command: RunningCommand) {
  command.stop();
  return command.ended;
}

describe('The demo', () => {
  let ledger: Ledger;
  let first: RunningDemo;

  beforeAll(async () => {
    first = await startDemo(environment);
    ledger = new Ledger({ url: first.url, key: first.key });
  }, 600_000);

  afterAll(async () => {
    await stopped(first.command);
    rmSync(folder, { recursive: true, force: true });
  });

  it('Has chains that verify', async () => {
    const decisions = await ledger.verification.decisions();
    const activity = await ledger.verification.activity();
    expect([decisions.is_valid, activity.is_valid]).toEqual([true, true]);
    expect(decisions.records_checked).toBeGreaterThan(200);
  });

  it('Records times that grow through the year and end now', async () => {
    const newest = await ledger.decisions.list().toArray(1);
    const age = Date.now() - Date.parse(newest[0]?.created_at ?? '');
    expect(age).toBeGreaterThan(-60_000);
    expect(age).toBeLessThan(40 * 24 * 3_600_000);
    const all = await ledger.decisions.list().toArray();
    const [last, oldest] = [all[0], all.at(-1)];
    const span = Date.parse(last?.created_at ?? '') - Date.parse(oldest?.created_at ?? '');
    expect(span).toBeGreaterThan(330 * 24 * 3_600_000);
    const late = all.filter(
      ({ timestamp, created_at }) => Date.parse(created_at) - Date.parse(timestamp) > 8 * 3_600_000,
    );
    expect(late).toEqual([]);
  });

  it('Has confirmed and rejected links, open reviews, an export, erasures and an exposure', async () => {
    const statuses = await Promise.all(
      (['CONFIRMED', 'ML_INFERRED', 'ML_SUGGESTED'] as const).map(
        async (status) => (await ledger.links.list({ status }).toArray(1)).length,
      ),
    );
    expect(statuses).toEqual([1, 1, 1]);
    const { open } = await ledger.reviews.list().page();
    expect(open.reviews).toBeGreaterThan(0);
    const [bundle] = await ledger.exports.list().toArray(1);
    expect(bundle?.status).toBe('complete');
    const pnl = await ledger.analytics.pnl({});
    expect(pnl.currency).toBe('EUR');
    // Which months have linked money depends on the day on which the year ends.
    const months = pnl.by_month.map(({ key }) => Date.parse(key) / MONTH_MS);
    expect(months.length).toBeGreaterThan(8);
    expect((months.at(-1) ?? 0) - (months[0] ?? 0)).toBeGreaterThan(9);
    const { aggregate } = await ledger.analytics.liability({});
    expect(Number(aggregate.expected)).toBeGreaterThan(0);
  });

  it('Lets a person sign in with the key', async () => {
    const session = await ledger.sessions.open({ name: 'Ada' });
    expect(session.mode).toBe('test');
  });

  it('Removes its temporary folder when it is stopped', async () => {
    expect(first.data_dir.startsWith(temporary)).toBe(true);
    expect(existsSync(first.data_dir)).toBe(true);
    const { code } = await stopped(first.command);
    expect(code).toBe(0);
    expect(existsSync(first.data_dir)).toBe(false);
  });

  it('Starts again within the limit, keeps a folder that is given and refuses one that is used', async () => {
    const own = join(folder, 'own');
    const { command } = await startDemo(environment, '--data-dir', own);
    expect(cpuSeconds(command.pid)).toBeLessThan(READY_CPU_SECONDS);
    await stopped(command);
    expect(existsSync(join(own, 'keys.json'))).toBe(true);
    const again = await runCommand(['demo', '--data-dir', own], environment);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('is not an empty folder');
    const other = join(folder, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'notes.txt'), 'mine');
    const refused = await runCommand(['demo', '--data-dir', other], environment);
    expect(refused.stderr).toContain('is not an empty folder');
    expect(existsSync(join(other, 'keys.json'))).toBe(false);
  });
});
