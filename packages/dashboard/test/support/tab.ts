import type { Browser, Page } from 'playwright-core';

const VIEWPORT = { width: 1280, height: 800 };
const PATIENCE_MS = 240_000;

/** Opens a tab of a browser profile of its own. */
export async function openTab(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    ...{ locale: 'en-GB', timezoneId: 'Europe/Berlin', reducedMotion: 'reduce' },
    viewport: VIEWPORT,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  return page;
}

/**
 * Makes a tab as it was before its test. Only the files of the dashboard stay, loaded and compiled: a new tab costs
 * more than most tests do with it.
 */
export async function clearTab(page: Page, url: string): Promise<Page> {
  const context = page.context();
  for (const event of ['console', 'pageerror', 'request', 'response', 'websocket'] as const) {
    page.removeAllListeners(event);
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.setOffline(false);
  await page.mouse.move(-1, -1);
  await page.setViewportSize(VIEWPORT);
  await page.emulateMedia({ media: null, colorScheme: 'light' });
  // Of the same origin, so that the process of the tab goes on, and without a script that would store something.
  await page.goto(`${url}/healthz`);
  await page.evaluate('sessionStorage.clear(); localStorage.clear()');
  await context.clearCookies();
  return page;
}
