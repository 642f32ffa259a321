import { chromium } from 'playwright-core';
import { findChromium } from '../../packages/verifier/test/support/chromium-install.js';

const SCREEN = { width: 1440, height: 900 };

/** @throws if there is no Chromium */
export async function openBrowser() {
  const found = findChromium();
  if ('reason' in found) throw new Error(found.reason);
  return chromium.launch({
    executablePath: found.path,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
}

/**
 * A page that has signed in. Whatever it measures is kept in `window.measured`.
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @param {string} key
 */
export async function signedIn(browser, url, key) {
  const context = await browser.newContext({ viewport: SCREEN, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.addInitScript(OBSERVE);
  await page.goto(url);
  await page.getByLabel('API key').fill(key);
  await page.getByLabel('Your name').fill('Ada Lovelace');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  const devtools = await context.newCDPSession(page);
  return { page, devtools, close: () => context.close() };
}

/** Runs in the page before its scripts: the largest paint so far, and the tasks over 50 ms. */
const OBSERVE = `
  window.measured = { paint: 0, tasks: [] };
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) window.measured.paint = startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.measured.tasks.push(duration);
  }).observe({ type: 'longtask', buffered: true });`;

/**
 * Loads a page without the browser's cache, and waits until nothing more is read.
 * @param {Awaited<ReturnType<typeof signedIn>>} tab
 * @param {string} address
 * @returns {Promise<number>} ms until the largest contentful paint
 */
export async function largestPaint({ page, devtools }, address) {
  await devtools.send('Network.enable');
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  return page.evaluate('window.measured.paint');
}

/**
 * Turns the wheel for some time.
 * @param {Awaited<ReturnType<typeof signedIn>>} tab
 * @param {number} seconds
 */
export async function scrollPage({ page, devtools }, seconds) {
  await page.mouse.move(SCREEN.width / 2, SCREEN.height / 2);
  await page.evaluate(START_FRAMES);
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    await page.mouse.wheel(0, 240);
    await page.waitForTimeout(16);
  }
  /** @type {{ frames: number[], tasks: number[] }} */
  const { frames, tasks } = await page.evaluate(STOP_FRAMES);
  await devtools.send('Performance.enable');
  await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const metric = (/** @type {string} */ name) =>
    metrics.find((one) => one.name === name)?.value ?? Number.NaN;
  const sorted = frames.sort((a, b) => a - b);
  return {
    p95: sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN,
    longTasks: tasks.length,
    heap: metric('JSHeapUsedSize') / 2 ** 20,
    nodes: /** @type {number} */ (await page.evaluate('document.querySelectorAll("*").length')),
  };
}

const START_FRAMES = `
  window.measured.tasks.length = 0;
  window.measured.frames = [];
  let last = performance.now();
  const next = (now) => {
    window.measured.frames.push(now - last);
    last = now;
    window.measured.handle = requestAnimationFrame(next);
  };
  window.measured.handle = requestAnimationFrame(next);`;

const STOP_FRAMES = `(() => {
  cancelAnimationFrame(window.measured.handle);
  return { frames: window.measured.frames, tasks: window.measured.tasks };
})()`;
