import { Ledger } from '@decision-ledger/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isComplete, open, signIn } from './support/app.js';
import { type Demo, openDemo } from './support/demo.js';
import { pathsOf } from './support/paths.js';
import { chromiumHere } from './support/shared.js';
import {
  minorDigitsOf,
  moneyOn,
  type ShownMoney,
  type ShownTable,
  tablesOn,
} from './support/shown.js';

/** Tables whose rows are no data of the ledger, or not yet: a form, a preview of a change, a text of help. */
const WITHOUT_CSV = ['Risk matrix by action type', 'Effect by action type', 'Verdicts'];

/** All pages with what the demo has, and the drawers of its figures and of an event. */
async function pathsIn(ledger: Ledger): Promise<string[]> {
  const [link] = await ledger.links.list({ status: 'ML_INFERRED' }).toArray(1);
  const [erasure] = await ledger.operations.activity({ type: 'decision.field_erased' }).toArray(1);
  const decisionId = link?.decision_id ?? '';
  const { agent_id } = await ledger.decisions.get(decisionId);
  const agent = `/agents/${encodeURIComponent(agent_id)}`;
  return [
    ...pathsOf(agent_id, decisionId),
    ...[`${agent}?figure=expected.net`, `${agent}?figure=exposure`],
    ...[`/money?event=${link?.financial_event_id}`, `/decisions/${erasure?.subject}`],
    '/money?tab=unconverted&part=linked',
  ];
}

interface Seen {
  readonly path: string;
  readonly tables: readonly ShownTable[];
  readonly money: readonly ShownMoney[];
  /** What went wrong in the scripts of the page. */
  readonly faults: readonly string[];
}

describe.skipIf('reason' in chromiumHere)('The pages of the demo', () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await openDemo();
  }, 600_000);
  afterAll(() => demo.stop());

  let walked: Promise<Seen[]> | undefined;

  /** The tests below look at the same pages. */
  function walk(): Promise<Seen[]> {
    walked ??= walkAll();
    return walked;
  }

  async function walkAll(): Promise<Seen[]> {
    const { url, key, browser } = demo;
    const paths = await pathsIn(new Ledger({ url, key }));
    const page = await browser.newPage({ locale: 'en-GB', viewport: { width: 1440, height: 900 } });
    await signIn(page, url, { key, path: '/', name: 'Ada Lovelace' });
    const seen: Seen[] = [];
    let faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    for (const path of paths) {
      await open(page, url + path);
      await isComplete(page);
      // The code of a chart is loaded after the page.
      await page.waitForLoadState('networkidle');
      seen.push({ path, tables: await tablesOn(page), money: await moneyOn(page), faults });
      faults = [];
    }
    await page.close();
    return seen;
  }

  it('No page has a fault, whatever the ledger has', async () => {
    const faults = (await walk()).flatMap(({ path, faults: found }) =>
      found.map((fault) => `${path}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });

  it('Every table of data has one button for its CSV file', async () => {
    const seen = (await walk()).flatMap(({ path, tables }) =>
      tables.map(({ name, buttons }) => ({ path, name, buttons })),
    );
    expect(new Set(seen.map(({ name }) => name)).size).toBeGreaterThan(20);
    const wrong = seen.filter(
      ({ name, buttons }) => buttons !== (WITHOUT_CSV.includes(name) ? 0 : 1),
    );
    expect(wrong).toEqual([]);
  });

  it('A time of the review list is on one line, so that no row is larger than its place', async () => {
    const { url, key, browser } = demo;
    const page = await browser.newPage({ locale: 'en-GB', viewport: { width: 1440, height: 900 } });
    await signIn(page, url, { key, path: '/review', name: 'Ada Lovelace' });
    const times = page.getByRole('navigation', { name: 'Events to review' }).locator('time');
    await times.first().waitFor();
    const heights = await times.evaluateAll((all) => all.map((time) => time.clientHeight));
    expect(heights.length).toBeGreaterThan(10);
    expect(new Set(heights).size).toBe(1);
    await page.close();
  });

  it('No amount has more digits after the point than its currency', async () => {
    const seen = (await walk()).flatMap(({ path, money }) =>
      money.map((one) => ({ path, ...one })),
    );
    expect(new Set(seen.map(({ currency }) => currency)).size).toBeGreaterThan(3);
    expect(seen.length).toBeGreaterThan(300);
    expect(seen.filter(({ currency, digits }) => digits > minorDigitsOf(currency))).toEqual([]);
  });
});
