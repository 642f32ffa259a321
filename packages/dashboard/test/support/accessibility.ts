import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const require = createRequire(import.meta.url);

/**
 * Colours that are still changing have no contrast to judge. A change starts in a later frame, so nothing may
 * move for several; an animation that is paused never ends.
 */
const IS_STILL = `(async () => {
  for (let still = 0; still < 4; still += 1) {
    await new Promise(requestAnimationFrame);
    const moving = document.getAnimations()
      .filter(({ effect }) => effect.getComputedTiming().iterations !== Infinity);
    if (moving.length === 0) continue;
    still = -1;
    await Promise.race([
      new Promise((resolve) => setTimeout(resolve, 2000)),
      Promise.allSettled(moving.map(({ finished }) => finished)),
    ]);
    if (moving.every(({ playState }) => playState === 'paused')) return;
  }
})()`;

/** Its smaller file, which is read in half of the time. */
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Without the selectors of what it finds, whose text is printed, and without reading the style sheets once more. */
const OPTIONS = `{ resultTypes: ['violations'], selectors: false, preload: { assets: ['media'] } }`;

const RUN_AXE = `axe.run(document, ${OPTIONS}).then(({ violations }) =>
  violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))`;

/** Fails on a serious or critical finding of axe, in light and in dark. */
export async function checkAccessibility(page: Page): Promise<void> {
  await page.evaluate(AXE);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(IS_STILL);
    expect(await page.evaluate(RUN_AXE), colorScheme).toEqual([]);
  }
}
