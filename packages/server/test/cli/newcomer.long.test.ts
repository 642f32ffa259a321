import { join } from 'node:path';
import process from 'node:process';
import { chromium } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../../verifier/test/support/chromium-install.js';
import { readKeys } from '../support/service-process.js';
import { blocksOf, freshClone, type Started } from './support/readme.js';

const TEN_MINUTES_MS = 600_000;

/** The sections of README.md, and what a newcomer has after each. */
const STEPS = [
  ['## Record a decision', 'first decision recorded and verified'],
  ['## Import a day of work', 'a day of work imported'],
  ['## See what the decisions moved', 'first suggestion reviewed'],
  ['## Hand over evidence', 'first export verified'],
] as const;

const clone = freshClone();
let service: Started | undefined;

afterAll(async () => {
  await service?.stop();
  clone.remove();
});

describe('The path of a newcomer', () => {
  it('A clean clone leads to a decision, a review, a verified export and the dashboard', async () => {
    const began = performance.now();
    const times: [string, number][] = [];
    const reached = (what: string) => times.push([what, (performance.now() - began) / 1000]);
    const [install = ''] = blocksOf('## Start');
    service = await clone.start(install, {}, TEN_MINUTES_MS);
    reached('service started, after npm ci and the build');
    // Each section continues the terminal of the ones before; what they printed is checked in readme.e2e.test.ts.
    const { url } = service;
    const script = STEPS.flatMap(([heading, what]) => [
      ...blocksOf(heading),
      `echo "reached: ${what}"`,
    ]);
    const isReached = clone.run(
      script.join('\n').replaceAll('http://127.0.0.1:8080', url),
      (text) => {
        for (const [, what = ''] of text.matchAll(/^reached: (.*)$/gm)) reached(what);
      },
    );
    const { code, stderr } = await isReached;
    expect(code, stderr).toBe(0);
    await viewDashboard(url, readKeys(join(clone.folder, 'data')).test);
    reached('first view of the dashboard');
    expect(times).toHaveLength(STEPS.length + 2);
    const lines = times.map(([what, seconds]) => `${seconds.toFixed(1).padStart(7)} s  ${what}\n`);
    process.stdout.write(`From the clone on:\n${lines.join('')}`);
    expect(times.at(-1)?.[1]).toBeLessThan(TEN_MINUTES_MS / 1000);
  });
});

/** Signs in as a person does, and waits until the decisions of that day are shown. */
async function viewDashboard(url: string, key: string): Promise<void> {
  const found = findChromium();
  if ('reason' in found) throw new Error(found.reason);
  const browser = await chromium.launch({ executablePath: found.path, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    await page.goto(`${url}/decisions`);
    await page.getByLabel('API key').fill(key);
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Decisions' }).waitFor();
    await page.getByText('support-agent').first().waitFor();
  } finally {
    await browser.close();
  }
}
