import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { Pnl } from '@decision-ledger/contract/analytics';
import { success } from '@decision-ledger/contract/envelope';
import { Parse } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createCaller } from './support/caller.js';
import { type Keys, readKeys } from './support/service-process.js';

const ROOT = resolve(import.meta.dirname, '../../..');
const { PATH = '', HOME = '' } = process.env;
/** The walk-through, in its order. The sections behind it are for another machine, or this very run. */
const WALK = [
  '## Record a decision',
  '## Import a day of work',
  '## See what the decisions moved',
  '## Hand over evidence',
];
const LISTENS = /^Decision Ledger listens on (http\S+)$/m;

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
/** What a fresh clone holds, once `npm ci` is done: everything but data. */
const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-readme-'));
let npmStart: ChildProcess;
let url = '';
let keys: Keys;

/** The commands of a section, as a reader copies them. */
function blocksOf(heading: string): string[] {
  const start = readme.indexOf(`\n${heading}\n`);
  expect(start, `README.md has a section ${heading}`).toBeGreaterThan(0);
  const end = readme.indexOf('\n## ', start + 1);
  const blocks = readme.slice(start, end).matchAll(/```sh\n([\s\S]*?)```/g);
  return [...blocks].map(([, commands = '']) => commands);
}

/** Every block of the walk-through in one shell, as in the reader's terminal; only the port may differ. */
function walk(): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const script = WALK.flatMap(blocksOf).join('\n').replaceAll('http://127.0.0.1:8080', url);
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', script], {
    cwd: folder,
    env: { PATH, HOME },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  }
  return new Promise((settle) => child.once('close', (code) => settle({ code, ...said })));
}

beforeAll(async () => {
  for (const name of [
    'package.json',
    'package-lock.json',
    'node_modules',
    'packages',
    'examples',
  ]) {
    symlinkSync(join(ROOT, name), join(folder, name));
  }
  expect(blocksOf('## Start')).toEqual(['npm ci && npm start\n']);
  npmStart = spawn('npm', ['start'], {
    cwd: folder,
    env: { PATH, HOME, LEDGER_PORT: '0', LEDGER_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  let output = '';
  npmStart.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await vi.waitFor(() => expect(output).toMatch(LISTENS), 120_000);
  url = LISTENS.exec(output)?.[1] ?? '';
  keys = readKeys(join(folder, 'data'));
}, 180_000);

afterAll(async () => {
  const ended = new Promise((settle) => npmStart.once('close', settle));
  process.kill(-(npmStart.pid ?? 0), 'SIGTERM');
  await ended;
  rmSync(folder, { recursive: true });
});

describe('the walk-through of README.md', () => {
  it('runs as it stands, and ends in figures and in evidence that passes', async () => {
    const { code, stdout, stderr } = await walk();
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('"seq":1');
    expect(stdout).toContain('48 decisions and 0 financial events imported');
    expect(stdout).toContain('0 decisions and 26 financial events imported');
    const [chargeback = ''] = stdout.match(/^lnk_.*$/m) ?? [];
    expect(chargeback).toMatch(/chargeback .* caused by {2}support-agent deny_refund/);
    expect(stdout).toContain('is ML_INFERRED now.');
    expect(stdout).toContain('is complete: 48 decisions');
    for (const verdict of ['Integrity', 'Completeness', 'Authenticity']) {
      expect(stdout).toMatch(new RegExp(`${verdict}:? +PASS`, 'i'));
    }
    const caller = createCaller(url, keys.test);
    const { body } = await caller.call(
      'GET',
      '/api/v1/analytics/ai-pnl?start=2026-04-16&end=2026-04-16',
    );
    caller.close();
    const { expected, confirmed, expected_liability } = Parse(success(Pnl), body).data;
    expect(Number(expected.revenue)).toBeGreaterThan(1000);
    expect(Number(expected.costs)).toBeLessThan(0);
    expect(Number(expected.refunds)).toBeLessThan(0);
    expect(Number(expected.net)).toBeGreaterThan(0);
    expect(Number(confirmed.losses)).toBeLessThan(-100);
    expect(Number(expected_liability)).toBeGreaterThan(100);
    // They are what the reader sees.
    for (const figure of [expected.revenue, expected.net, confirmed.losses, expected_liability]) {
      expect(stdout).toContain(`'${figure}'`);
    }
  }, 300_000);

  it('wrote samples into the sandbox, and nothing into the live ledger', async () => {
    const caller = createCaller(url, keys.live);
    const { body } = await caller.call('GET', '/api/v1/decisions');
    caller.close();
    expect(body).toMatchObject({ data: { decisions: [] } });
  });

  it('names no command that waits for input, and none that fetches anything', () => {
    const commands = WALK.flatMap(blocksOf).join('\n');
    const run = [...commands.matchAll(/npx (\S+)/g)].map(([, name]) => name);
    expect(new Set(run)).toEqual(new Set(['decision-ledger', 'decision-ledger-verify']));
  });
});
