import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { type App, it } from './support/app.js';

const VERIFIER = new URL('../../verifier/', import.meta.url);

/** Other tests request exports too. */
async function allowExports({ ledger }: App): Promise<void> {
  await ledger.settings.update({ rate_limits: { exports_per_hour: 1000 } });
}

describe('Evidence', () => {
  it('A verification shows its steps, and then what both chains answer', async ({
    app: { page, signIn, ledger, axe },
  }) => {
    await signIn({ path: '/evidence' });
    await page.getByRole('button', { name: 'Verify now' }).click();
    const seals = page.getByText(/^Intact to #/);
    await seals.nth(1).waitFor();
    await page.getByRole('progressbar').waitFor({ state: 'detached' });
    const { decisions, activity } = await ledger.verification.last();
    expect(decisions?.is_valid && activity?.is_valid).toBe(true);
    for (const { head, records_checked } of [decisions, activity].flatMap((one) => one ?? [])) {
      const count = records_checked.toLocaleString('en-GB');
      await page.getByText(`${count} valid records`).first().waitFor();
      await page.locator(`code[title="${head.hash}"]`).waitFor();
    }
    await axe();
  });

  it('An export is downloaded in the browser and passes the offline verifier', async ({ app }) => {
    const { page, signIn, ledger, axe } = app;
    await allowExports(app);
    await signIn({ path: '/evidence' });
    const type = page.getByLabel('Type', { exact: true });
    await type.selectOption('insurance');
    expect(await page.getByLabel('Complete by').count()).toBe(0);
    await type.selectOption('compliance');
    await page.getByLabel('Complete by').selectOption('decided');
    await type.selectOption('forensic');
    expect(await page.getByLabel('Complete by').inputValue()).toBe('decided');
    await page.getByLabel('First day').fill('2026-04-20');
    await page.getByLabel('Last day').fill('2026-04-30');
    await page.getByRole('button', { name: 'Create export' }).click();
    const row = page.getByRole('row').filter({ hasText: '20 Apr 2026 – 30 Apr 2026' }).first();
    const button = row.getByRole('button', { name: 'Download' });
    await button.waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    expect(download.url()).toContain('signature=');
    expect(download.url()).not.toMatch(/lg_live|lgs_live/);
    const path = await download.path();
    const [newest] = await ledger.exports.list().toArray(1);
    expect(
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex'),
    ).toBe(newest?.sha256);
    expect(newest?.range_basis).toBe('decided');
    await row.locator(`code[title="${newest?.sha256}"]`).waitFor();

    const fingerprint = page.getByRole('table', { name: 'Signing keys' }).locator('code').first();
    const shown = (await fingerprint.textContent()) ?? '';
    expect(await page.getByLabel('Check an export', { exact: true }).textContent()).toContain(
      shown,
    );
    const program = fileURLToPath(new URL('bin/decision-ledger-verify.js', VERIFIER));
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...[program, path, '--json', '--key-fingerprint', shown],
      ...['--allow-unproven', 'completeness'],
    ]);
    const { bundle, verdicts } = JSON.parse(stdout);
    expect(verdicts).toMatchObject({
      integrity: { verdict: 'pass', basis: 'key' },
      completeness: {
        verdict: 'unproven',
        findings: [{ code: 'lateness_unbounded' }, { code: 'log_unwitnessed' }],
      },
      authenticity: { verdict: 'pass', basis: 'key' },
      time: { verdict: 'unproven', findings: [{ code: 'time_unattested' }] },
    });
    const { export_id, decisions } = newest ?? {};
    expect(bundle).toMatchObject({ export_id, decisions });
    await axe();
  });

  it('The page that checks offline is the one of the verifier', async ({
    app: { page, signIn, url },
  }) => {
    await signIn({ path: '/evidence' });
    const link = page.getByRole('link', { name: 'Download verify.html' });
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toBe('verify.html');
    const own = await readFile(new URL('dist/verify.html', VERIFIER));
    expect((await readFile(await download.path())).equals(own)).toBe(true);
    const answer = await fetch(`${url}/verify.html`);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="verify.html"');
    expect(answer.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
  });

  it('Erasures name the decision, its fields and the reason', async ({
    app: { page, signIn, ledger },
  }) => {
    const [erasure] = await ledger.operations
      .activity({ type: 'decision.field_erased' })
      .toArray(1);
    await signIn({ path: '/evidence' });
    const row = page.getByRole('table', { name: 'Erasures' }).getByRole('row').nth(1);
    await row.getByRole('cell', { name: String(erasure?.data?.reason) }).waitFor();
    await row.getByRole('link', { name: erasure?.subject ?? '' }).click();
    await page.waitForURL(`**/decisions/${erasure?.subject}`);
  });

  it('Who may only export is offered exports, and who may only read is offered none', async ({
    app: { page, signIn, ledger },
  }) => {
    const { key } = await ledger.keys.issue({ name: 'reader', permissions: ['read'] });
    await signIn({ key, path: '/evidence' });
    await page.getByRole('button', { name: 'Verify now' }).waitFor();
    expect(await page.getByRole('button', { name: 'Create export' }).count()).toBe(0);
    const exporter = await ledger.keys.issue({ name: 'exporter', permissions: ['export'] });
    await page.evaluate('sessionStorage.clear()');
    await signIn({ key: exporter.key, path: '/evidence' });
    await page.getByRole('button', { name: 'Create export' }).waitFor();
    expect(await page.getByRole('button', { name: 'Verify now' }).count()).toBe(0);
  });

  it('An empty ledger explains how an export is made', async ({ app: { page, signIn, keys } }) => {
    await signIn({ key: keys.test, path: '/evidence' });
    await page.getByRole('heading', { name: 'No export yet' }).waitFor();
    await page.getByText('Nothing was erased').waitFor();
    await page.getByText(/-X POST .*\/api\/v1\/exports/).waitFor();
  });
});
