import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { it } from './support/app.js';

/** Paper, and the width that its margins leave, in CSS pixels. */
const PAPERS = { A4: 695, Letter: 717 } as const;
const WIDE = { width: 2560, height: 1300 };
const AGENT = '/agents/pricing-agent?from=2026-04-01&to=2026-04-30';
const PATHS = [AGENT, '/', '/agents', '/exposure', '/decisions', '/money', '/evidence'];

/** What is cut at the edge of the paper, or by an element around it. */
const CUT = `[...document.querySelectorAll('#main *')]
  .filter((one) => one.checkVisibility() && one.getClientRects().length > 0)
  .filter((one) => {
    const { left, right } = one.getBoundingClientRect();
    const isBeyond = left < -1 || right > innerWidth + 1;
    const { overflowX, textOverflow } = getComputedStyle(one);
    const isHidden = one.scrollWidth > one.clientWidth + 1 && overflowX !== 'visible';
    return isBeyond || (isHidden && one.tagName !== 'svg');
  })
  .map((one) => one.outerHTML.slice(0, 200))
  .join('\\n')`;

/** Tells the page that it is printed, or was, as the browser does, and waits until it is drawn. */
const tell = (page: Page, event: 'beforeprint' | 'afterprint') =>
  page.evaluate(`new Promise((drawn) => {
    dispatchEvent(new Event('${event}'));
    requestAnimationFrame(() => requestAnimationFrame(drawn));
  })`);

/**
 * Expects a page whole on paper. A script that would adapt it to another width does not run then, except what runs before
 * printing; the browser may need a moment to lay it out.
 */
async function expectWhole(page: Page, width: number, what: string): Promise<void> {
  await tell(page, 'beforeprint');
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setScriptExecutionDisabled', { value: true });
  const before = page.viewportSize();
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width, height: 1000 });
  await expect.poll(() => page.evaluate(CUT), { message: what }).toBe('');
  if (before !== null) await page.setViewportSize(before);
  await page.emulateMedia({ media: 'screen' });
  await devtools.send('Emulation.setScriptExecutionDisabled', { value: false });
  await devtools.detach();
  await tell(page, 'afterprint');
}

describe('A page on paper, printed from a wide window', () => {
  it('Is complete on A4 and on Letter: nothing reaches beyond the page', async ({
    app: { page, signIn, open, complete },
  }) => {
    await page.setViewportSize(WIDE);
    await signIn();
    for (const path of PATHS) {
      await open(path);
      await complete();
      for (const [paper, width] of Object.entries(PAPERS)) {
        await expectWhole(page, width, `${path} on ${paper}`);
      }
    }
  });

  it('A statement says who made it, of when it is, and whose it is', async ({
    app: { page, signIn, ledger },
  }) => {
    await page.setViewportSize(WIDE);
    await signIn({ path: AGENT });
    await page.getByTestId('sentence').waitFor();
    const [key] = await ledger.operations.signingKeys().toArray(1);
    await page.emulateMedia({ media: 'print' });
    const paper = page.locator('#main');
    await paper.getByText('Prepared by Ada Lovelace, printed').waitFor();
    for (const name of ['Prepared by', 'Money as of', 'Linked money that people reviewed']) {
      expect(await paper.locator('dt', { hasText: name }).first().isVisible()).toBe(true);
    }
    expect(await paper.getByText('100.0%').first().isVisible()).toBe(true);
    const mark = key?.fingerprint ?? 'No export was signed yet';
    expect(await paper.getByText(mark).isVisible()).toBe(true);
    expect(await paper.locator('svg[viewBox="0 0 680 380"]').isVisible()).toBe(true);
    const file = await page.pdf({ format: 'A4' });
    const pages = file.toString('latin1').match(/\/Type\s*\/Page\b/g) ?? [];
    expect(pages.length).toBeGreaterThan(1);
  });
});
