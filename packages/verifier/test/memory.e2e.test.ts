import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { pack } from './support/bundle.js';
import { draftOf } from './support/draft.js';
import { Story } from './support/story.js';

const DECISIONS = 50_000;
const ALLOWED = 150 * 1024 * 1024;
const MAIN = new URL('../dist/cli/main.js', import.meta.url).href;

const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-memory-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Prints on its last line how far its memory grew above that of an idle program. The maximum of
 * resourceUsage() is inherited from the parent process.
 */
const PROGRAM = `
  import { readFileSync } from 'node:fs';
  const { main } = await import(${JSON.stringify(MAIN)});
  const idle = process.memoryUsage.rss();
  process.exitCode = await main(process.argv.slice(1));
  const peak = /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1] * 1024;
  process.stdout.write(String(peak - idle));
`;

test.runIf(process.platform === 'linux')(
  'A bundle of 50,000 decisions is checked within 150 MB above idle',
  async () => {
    const story = new Story();
    story.act('key.issued', 'key_1', { name: 'x' });
    for (let i = 0; i < DECISIONS; i++) {
      story.decide({ inputs: { order: `order ${i}`, text: 'as they come '.repeat(70) } });
    }
    for (let i = 0; i < 2000; i++) {
      const body = { source: 'billing', event_type: 'refund', amount: `${i}.00`, currency: 'USD' };
      story.recordEvent({ ...body, timestamp: '2026-01-06T00:00:00.000Z', external_id: `ch_${i}` });
    }
    const range = { start: '2026-01-01T00:00:00.000Z', end: '2027-01-01T00:00:00.000Z' };
    const draft = draftOf(story, { range });
    const path = join(folder, 'large.zip');
    writeFileSync(path, await pack(draft));
    const bytes = [...draft.files.values()].reduce((sum, { length }) => sum + length, 0);
    expect(bytes).toBeGreaterThan(100 * 1024 * 1024);

    const args = ['--input-type=module', '-e', PROGRAM, path];
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect(status).toBe(3);
    expect(stdout).toContain('integrity: PASS');
    expect(Number(stdout.split('\n').at(-1))).toBeLessThan(ALLOWED);
  },
);
