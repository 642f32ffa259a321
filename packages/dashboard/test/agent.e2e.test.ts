import { Buffer } from 'node:buffer';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { differenceOf } from '#dashboard/format/decimal.ts';
import { formatMoney } from '#dashboard/format/numbers.ts';
import { it } from './support/app.js';

const run = promisify(execFile);
const VERIFIER = fileURLToPath(
  new URL('../../verifier/bin/decision-ledger-verify.js', import.meta.url),
);
const AGENT = 'pricing-agent';
const PATH = `/agents/${AGENT}`;
const PARTS = ['revenue', 'savings', 'costs', 'refunds', 'losses', 'net'] as const;

/** The amounts in an element: as values, and as they are read. */
async function amountsIn(page: Page, selector: string) {
  const shown = await page.locator(`${selector} data`).all();
  return Promise.all(
    shown.map(async (element) => [
      await element.getAttribute('value'),
      await element.textContent(),
    ]),
  );
}

const written = (amount: string, currency: string) => [
  amount,
  formatMoney(amount, currency, { locale: 'en-GB' }),
];

describe('The statement of an agent', () => {
  it('Every figure equals the answer of the API to the cent', async ({
    app: { page, signIn, ledger, axe },
  }) => {
    const pnl = await ledger.analytics.pnl({ agent_id: AGENT });
    const { aggregate, currency } = await ledger.analytics.liability({ agent_id: AGENT });
    await signIn({ path: PATH });
    await page.getByTestId('sentence').waitFor();
    for (const part of PARTS) {
      expect(await amountsIn(page, `[data-figure="confirmed.${part}"]`), part).toEqual([
        written(pnl.confirmed[part], pnl.currency),
      ]);
    }
    for (const label of ['matched', 'expected', 'guessed'] as const) {
      expect(await amountsIn(page, `[data-figure="${label}.net"]`), label).toEqual([
        written(pnl[label].net, pnl.currency),
      ]);
    }
    expect(await amountsIn(page, '[data-figure="exposure"]')).toEqual([
      written(aggregate.expected, currency),
    ]);
    expect(pnl.confirmed.net).toBe('233.40');
    expect(await amountsIn(page, '[data-testid="sentence"]')).toEqual([
      written('233.40', pnl.currency),
      written('233.40', pnl.currency),
      written(aggregate.open, currency),
      written(differenceOf(aggregate.realised, aggregate.var95), currency),
      written(aggregate.realised, currency),
    ]);
    await axe();
  });

  it('A bar leads to its rows, and a row to the decision and its hash', async ({
    app: { page, signIn, ledger, axe },
  }) => {
    const query = { agent_id: AGENT, figure: 'confirmed.losses' } as const;
    const { rows, sum } = await ledger.analytics.pnlRows(query).page();
    const decision = await ledger.decisions.get(rows[0]?.decision_id ?? '');
    await signIn({ path: PATH });
    await page.locator('[data-screen-only] svg a', { hasText: 'Losses' }).click();
    await page.waitForURL(`**${PATH}?figure=confirmed.losses`);
    const drawer = page.getByRole('dialog', { name: 'Confirmed losses' });
    await drawer.getByText('1 part of an event').waitFor();
    const [total] = await amountsIn(page, '[role="dialog"]');
    expect(Number(total?.[0])).toBe(Number(sum?.converted));
    await drawer.getByText('The decision').click();
    await drawer.getByText(decision.hash).waitFor();
    expect(JSON.parse((await drawer.locator('pre').first().textContent()) ?? '')).toEqual(
      decision.inputs,
    );
    await axe();
    await page.keyboard.press('Escape');
    await page.waitForURL(`**${PATH}`);
  });

  it('The exposure leads to its decisions, whose sum is the figure', async ({
    app: { page, signIn, ledger },
  }) => {
    const { rows, sum } = await ledger.analytics.liabilityRows({ agent_id: AGENT }).page();
    await signIn({ path: `${PATH}?figure=exposure` });
    const drawer = page.getByRole('dialog');
    await drawer.getByText(`${sum?.rows} decisions`).waitFor();
    expect(await drawer.getByRole('listitem').count()).toBe(rows.length);
    await drawer.getByRole('button', { name: 'Show more' }).click();
    await drawer.getByRole('listitem').nth(rows.length).waitFor();
  });

  it('The range is in the address and changes every figure', async ({
    app: { page, signIn, ledger },
  }) => {
    const range = { start: '2026-04-01', end: '2026-04-29' };
    const pnl = await ledger.analytics.pnl({ agent_id: AGENT, ...range });
    await signIn({ path: `${PATH}?from=${range.start}&to=${range.end}` });
    await page.getByText(`${AGENT}, 1 Apr 2026 to 29 Apr 2026:`).waitFor();
    expect(await amountsIn(page, '[data-figure="confirmed.net"]')).toEqual([
      written(pnl.confirmed.net, pnl.currency),
    ]);
    await page.getByLabel('To', { exact: true }).fill('2026-04-30');
    await page.getByText(`${AGENT}, April 2026:`).waitFor();
    expect(new URL(page.url()).search).toBe('?from=2026-04-01&to=2026-04-30');
    await page.getByRole('button', { name: 'All time' }).click();
    await page.waitForURL(`**${PATH}`);
  });

  it('An agent without decisions is shown how to record one', async ({
    app: { page, signIn, axe },
  }) => {
    await signIn({ path: '/agents/nobody%2Fyet' });
    await page.getByRole('heading', { name: 'This agent has no decisions' }).waitFor();
    await page.getByText('"agent_id":"nobody/yet"').waitFor();
    await axe();
  });

  it('Sealing makes a signed statement that the offline verifier accepts, and says when the next is possible', async ({
    app: { page, signIn, ledger, expectError, axe },
  }) => {
    expectError(/status of 429/);
    await ledger.settings.update({ rate_limits: { exports_per_hour: 50 } });
    const range = { start: '2026-04-20', end: '2026-04-30' };
    const pnl = await ledger.analytics.pnl({ agent_id: AGENT, ...range });
    const { aggregate } = await ledger.analytics.liability({ agent_id: AGENT, ...range });
    await signIn({ path: `${PATH}?from=${range.start}&to=${range.end}` });
    await page.getByRole('button', { name: 'Seal this statement' }).click();
    await page.getByText('every figure to the cent').waitFor();
    await axe();
    await page.getByRole('button', { name: 'Seal', exact: true }).click();
    await page.getByText('The statement is sealed and signed').waitFor();
    await axe();
    const [made] = await ledger.exports.list({ status: 'complete' }).toArray(1);
    expect(made).toMatchObject({ export_type: 'statement', agent_id: AGENT });
    await page.getByText(made?.sha256 ?? '').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the archive' }).click(),
    ]);
    const zip = await download.path();
    const digest = await crypto.subtle.digest('SHA-256', readFileSync(zip));
    expect(Buffer.from(digest).toString('hex')).toBe(made?.sha256);
    const pinned = ['--key-fingerprint', made?.key_fingerprint ?? ''];
    const waived = ['--allow-unproven', 'completeness'];
    const { stdout } = await run(process.execPath, [VERIFIER, zip, ...pinned, ...waived, '--json']);
    const { verdicts } = JSON.parse(stdout);
    expect(verdicts).toMatchObject({
      integrity: { verdict: 'pass' },
      completeness: {
        verdict: 'unproven',
        findings: [{ code: 'log_unwitnessed' }, { code: 'data_withheld' }],
      },
      authenticity: { verdict: 'pass' },
      time: { verdict: 'unproven', findings: [{ code: 'time_unattested' }] },
    });
    const { stdout: text } = await run('unzip', ['-p', zip, 'statement.json']);
    const { figures } = JSON.parse(text);
    expect(figures.confirmed).toEqual(pnl.confirmed);
    expect(figures.interval).toEqual(pnl.confidence_interval);
    expect(figures.exposure).toMatchObject({
      ...{ expected: aggregate.expected, realised: aggregate.realised },
      ...{ p50: aggregate.p50, var95: aggregate.var95 },
    });
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await ledger.settings.update({ rate_limits: { exports_per_hour: 1 } });
    await page.reload();
    await page.getByRole('button', { name: 'Seal this statement' }).click();
    await page.getByRole('button', { name: 'Seal', exact: true }).click();
    await page.getByText(/Try again in \d+ (minutes|seconds)/).waitFor();
    await ledger.settings.update({ rate_limits: { exports_per_hour: 50 } });
  });

  it('A key that may not export is not offered the seal', async ({
    app: { page, signIn, ledger },
  }) => {
    const { key } = await ledger.keys.issue({ name: 'reader', permissions: ['read'] });
    await signIn({ key, path: PATH });
    await page.getByTestId('sentence').waitFor();
    expect(await page.getByRole('button', { name: 'Seal this statement' }).count()).toBe(0);
  });
});
