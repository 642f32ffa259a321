import { execFile } from 'node:child_process';
import { readFile, rename } from 'node:fs/promises';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { type App, it } from './support/app.js';

const PROGRAM = new URL('../../verifier/bin/decision-ledger-verify.js', import.meta.url);
const PATIENCE_MS = 60_000;

/** A decision of the ledger that a checkpoint covers. */
async function coveredDecision({ ledger }: App): Promise<string> {
  await ledger.settings.update({ transparency: { interval_seconds: 10 } });
  const [decision] = await ledger.decisions.list({ limit: 1 }).toArray(1);
  const id = decision?.decision_id ?? '';
  const end = performance.now() + PATIENCE_MS;
  while ((await ledger.transparency.proof(id)).status !== 'covered') {
    if (performance.now() > end) throw new Error('no checkpoint covers the decision');
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return id;
}

describe('Proofs', () => {
  it('Both checkpoints are shown as they are published, and can be saved', async ({ app }) => {
    const { page, signIn, ledger, axe } = app;
    await coveredDecision(app);
    await signIn({ path: '/evidence' });
    for (const chain of ['decisions', 'activity'] as const) {
      const button = page.getByRole('button', { name: `Save checkpoint of ${chain}` });
      const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
      expect(download.suggestedFilename()).toBe(`${chain}.checkpoint`);
      const note = await readFile(await download.path(), 'utf8');
      const { origin, verifier_key } = await ledger.transparency.log(chain);
      expect(note.split('\n')[0]).toBe(origin);
      await page.locator(`code[title="${verifier_key}"]`).waitFor();
    }
    await axe();
  });

  it('A verification says that the tables agree, and on what that rests', async ({ app }) => {
    const { page, signIn, ledger, axe } = app;
    await signIn({ path: '/evidence' });
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page.getByText('Agree with the activity chain').waitFor();
    await page.getByText('Basis: the activity chain', { exact: false }).waitFor();
    const { reconciliation } = await ledger.verification.activity({});
    expect(reconciliation).toMatchObject({ is_reconciled: true });
    await axe();
  });

  it('A presentation discloses the chosen fields alone and passes the offline verifier', async ({
    app,
  }) => {
    const { page, signIn, ledger, axe } = app;
    const id = await coveredDecision(app);
    await signIn({ path: `/decisions/${id}` });
    await page.getByLabel('inputs', { exact: true }).check();
    const button = page.getByRole('button', { name: 'Save presentation' });
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    const path = `${await download.path()}.dlp.json`;
    await rename(await download.path(), path);
    const shown = JSON.parse(await readFile(path, 'utf8'));
    expect(Object.keys(shown.disclosures)).toEqual(['inputs']);
    const { verifier_key } = await ledger.transparency.log('decisions');
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...[fileURLToPath(PROGRAM), path, '--json', '--log-key', verifier_key],
    ]);
    const { verdicts, fields } = JSON.parse(stdout);
    expect(verdicts.integrity.verdict).toBe('pass');
    expect(verdicts.authenticity).toMatchObject({ verdict: 'pass', basis: 'key' });
    expect(fields).toMatchObject({ inputs: 'disclosed', outputs: 'withheld' });
    await axe();
  });

  it('A key that may only read is offered the proof, and no presentation', async ({ app }) => {
    const { page, signIn, ledger } = app;
    const id = await coveredDecision(app);
    const { key } = await ledger.keys.issue({ name: 'Reader', permissions: ['read', 'stream'] });
    await signIn({ key, path: `/decisions/${id}` });
    const button = page.getByRole('button', { name: 'Save proof' });
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    expect(download.suggestedFilename()).toBe(`${id}.tlog-proof`);
    expect(await page.getByRole('button', { name: 'Save presentation' }).count()).toBe(0);
  });
});
