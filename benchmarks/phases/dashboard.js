import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { inRepository, NODE_FLAGS, run, startServer } from '../support/children.js';
import { largestPaint, openBrowser, scrollPage, signedIn } from '../support/dashboard.js';
import { fillDistinct } from '../support/fill.js';
import { temporaryFolder } from '../support/service.js';
import { query } from '../support/sql.js';

const PROGRAM = inRepository('packages/server/bin/decision-ledger.js');
const DAY_MS = 86_400_000;
const SPAN_DAYS = 90;
const ROUNDS = 5;
const FULL = { cases: '19000', decisions: 1_000_000, seconds: 8 };
/** The end-to-end tests prepare the same year. */
const SMOKE = { cases: '250', decisions: 400, seconds: 0.2 };
/** In ms, MiB and elements. */
const GOALS = { paint: 1500, frame: 33, longTasks: 0, jump: 1500, heap: 80, nodes: 2500 };

/** The dashboard in Chromium: Home of the demo, and the list of a large ledger. */
export const dashboard = {
  name: 'dashboard',
  needsPostgres: true,
  /**
   * @param {import('../run.js').Bench} bench
   * @returns {Promise<import('../support/figures.js').PhaseResult>}
   */
  async run({ services, smoke }) {
    const scale = smoke ? SMOKE : FULL;
    const rounds = smoke ? 1 : ROUNDS;
    const browser = await openBrowser();
    try {
      const home = await measureHome(browser, scale.cases, rounds);
      const service = await services.start();
      const list = await measureList(browser, service, scale, rounds);
      return report(scale, home, list);
    } finally {
      await browser.close();
    }
  },
};

/**
 * @param {import('playwright-core').Browser} browser
 * @param {string} cases
 * @param {number} rounds
 */
async function measureHome(browser, cases, rounds) {
  const folder = temporaryFolder();
  const program = [...NODE_FLAGS, PROGRAM, 'demo', '--cases', cases];
  await run(process.execPath, [...program, '--prepare-only']);
  const started = performance.now();
  const server = await startServer([...program, '--port', '0', '--data-dir', folder.path]);
  const ready = (performance.now() - started) / 1000;
  const { test } = JSON.parse(readFileSync(join(folder.path, 'keys.json'), 'utf8'));
  const tab = await signedIn(browser, server.url, test);
  const paints = [];
  for (let round = 0; round < rounds; round += 1) paints.push(await largestPaint(tab, server.url));
  await tab.close();
  await server.stop();
  folder.remove();
  return { ready, paints };
}

/**
 * @param {import('playwright-core').Browser} browser
 * @param {import('../support/service.js').Service} service
 * @param {typeof FULL} scale
 * @param {number} rounds
 */
async function measureList(browser, service, { decisions, seconds }, rounds) {
  const key = await service.createOrganisation('bench');
  await fillDistinct(service, key, decisions, 1, SPAN_DAYS * DAY_MS);
  await query(service.databaseUrl, 'vacuum (analyze)');
  const results = [];
  for (let round = 0; round < rounds; round += 1) {
    const tab = await signedIn(browser, service.url, key);
    await tab.page.goto(`${service.url}/decisions`);
    await tab.page.locator('tbody a').first().waitFor();
    const scroll = await scrollPage(tab, seconds);
    const jump = await jumpToDay(tab, service.url, new Date(Date.now() - (SPAN_DAYS / 2) * DAY_MS));
    results.push({ ...scroll, jump });
    await tab.close();
  }
  await service.stop();
  return results;
}

/**
 * @param {Awaited<ReturnType<typeof signedIn>>} tab
 * @param {string} url
 * @param {Date} day
 * @returns {Promise<number>} ms until its first decision is shown
 */
async function jumpToDay({ page }, url, day) {
  const date = day.toISOString().slice(0, 10);
  const started = performance.now();
  await page.goto(`${url}/decisions?from=${date}&to=${date}`);
  await page.locator('tbody a').first().waitFor();
  return performance.now() - started;
}

/**
 * @param {typeof FULL} scale
 * @param {Awaited<ReturnType<typeof measureHome>>} home
 * @param {Awaited<ReturnType<typeof measureList>>} list
 * @returns {import('../support/figures.js').PhaseResult}
 */
function report({ decisions }, { ready, paints }, list) {
  const most = /** @type {const} */ ('most');
  const name = `List of ${decisions.toLocaleString('en')} decisions`;
  const values = (/** @type {keyof typeof list[number]} */ figure) =>
    list.map((round) => round[figure]);
  return {
    ratios: [
      {
        title: 'Home of the demo: largest contentful paint, ms',
        values: paints,
        goal: GOALS.paint,
      },
      {
        title: `${name}: frame while scrolling, p95, ms`,
        values: values('p95'),
        goal: GOALS.frame,
      },
      { title: `${name}: tasks over 50 ms`, values: values('longTasks'), goal: GOALS.longTasks },
      { title: `${name}: jump to a day, ms`, values: values('jump'), goal: GOALS.jump },
      { title: `${name}: JavaScript heap, MiB`, values: values('heap'), goal: GOALS.heap },
      { title: `${name}: elements of the page`, values: values('nodes'), goal: GOALS.nodes },
    ].map((figure) => ({ ...figure, goalIs: most })),
    details: [{ title: 'Demo: start to listening, prepared', values: [ready], unit: 's' }],
    notes: [],
  };
}
