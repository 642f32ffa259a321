// Takes pictures of every page of the dashboard on the demo: light and dark, wide, on a phone and printed.
// usage: node scripts/dashboard-screenshots.js [--folder DIR] [--png] [--whole] [--only NAME,…] [--url URL --key KEY]
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { Ledger } from '@decision-ledger/client';
import { chromium } from 'playwright-core';
import { inRepository, run, startServer } from '../benchmarks/support/children.js';
import { findChromium } from '../packages/verifier/test/support/chromium-install.js';

const PROGRAM = inRepository('packages/server/bin/decision-ledger.js');
const SCREENS = {
  wide: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true },
};
const SCHEMES = ['light', 'dark'];
/** The width of A4 in pixels of 1/96 inch. */
const PAPER = { width: 794, height: 1123 };
const PRINTED = ['agents', 'agent', 'decision', 'exposure'];
const QUALITY = 72;

const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: inRepository('docs/images/dashboard') },
    png: { type: 'boolean', default: false },
    whole: { type: 'boolean', default: false },
    only: { type: 'string' },
    url: { type: 'string' },
    key: { type: 'string' },
  },
});
const only = values.only?.split(',');

const found = findChromium();
if ('reason' in found) throw new Error(found.reason);
mkdirSync(values.folder, { recursive: true });
const service =
  values.url === undefined ? await startDemo() : { url: values.url, key: values.key ?? '' };
const browser = await chromium.launch({ executablePath: found.path, args: ['--no-sandbox'] });
try {
  const pages = await pagesOf(new Ledger(service));
  for (const [screen, options] of Object.entries(SCREENS)) {
    for (const colorScheme of SCHEMES) {
      const context = { ...options, colorScheme };
      await takeAll(pages, context, (name) => `${name}-${screen}-${colorScheme}`);
    }
  }
  await takePrinted(pages);
} finally {
  await browser.close();
  await service.stop?.();
}

async function startDemo() {
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-pictures-'));
  await run(process.execPath, [PROGRAM, 'demo', '--prepare-only']);
  const server = await startServer([PROGRAM, 'demo', '--port', '0', '--data-dir', folder]);
  const { test: key } = JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8'));
  const stop = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { url: server.url, key, stop };
}

/** The path of each page, by the name of its pictures. */
async function pagesOf(ledger) {
  const [link] = await ledger.links.list({ status: 'ML_INFERRED' }).toArray(1);
  const [decision] = await ledger.decisions.list().toArray(1);
  const id = link?.decision_id ?? decision?.decision_id ?? '';
  const agent = (await ledger.decisions.get(id)).agent_id;
  const menu = [
    ...['agents', 'decisions', 'review', 'money', 'exposure', 'evidence', 'activity', 'settings'],
  ];
  return {
    home: '/',
    ...Object.fromEntries(menu.map((name) => [name, `/${name}`])),
    decision: `/decisions/${id}`,
    agent: `/agents/${encodeURIComponent(agent)}`,
    event: `/money?event=${link?.financial_event_id ?? ''}`,
  };
}

async function takeAll(pages, context, fileOf) {
  const { page, close } = await openPage(context);
  await page.goto(service.url);
  await page.getByLabel('API key').waitFor();
  await take(page, fileOf('sign-in'));
  await signIn(page);
  for (const [name, path] of Object.entries(pages)) {
    if (only?.includes(name) ?? true) {
      await show(page, path);
      await take(page, fileOf(name));
    }
  }
  await close();
}

async function takePrinted(pages) {
  const { page, close } = await openPage({ viewport: PAPER, colorScheme: 'light' });
  await page.goto(service.url);
  await signIn(page);
  await page.emulateMedia({ media: 'print' });
  for (const name of PRINTED) {
    await show(page, pages[name]);
    await take(page, `${name}-printed`, true);
  }
  await close();
}

async function openPage(options) {
  const context = await browser.newContext({
    ...options,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  });
  return { page: await context.newPage(), close: () => context.close() };
}

async function signIn(page) {
  await page.getByLabel('API key').fill(service.key);
  await page.getByLabel('Your name').fill('Marta Okafor');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
}

async function show(page, path) {
  await page.goto(new URL(path, service.url).href);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  // Charts are drawn after their figures arrive.
  await page.waitForTimeout(400);
}

/** Chromium itself makes WebP, which the library does not offer. */
async function take(page, name, isWhole = values.whole) {
  const path = join(values.folder, name);
  if (values.png) {
    await page.screenshot({ path: `${path}.png`, fullPage: isWhole });
    return;
  }
  const devtools = await page.context().newCDPSession(page);
  const { cssContentSize: size } = await devtools.send('Page.getLayoutMetrics');
  const whole = { x: 0, y: 0, width: size.width, height: Math.min(size.height, 4000), scale: 1 };
  const { data } = await devtools.send('Page.captureScreenshot', {
    format: 'webp',
    quality: QUALITY,
    captureBeyondViewport: isWhole,
    ...(isWhole && { clip: whole }),
  });
  writeFileSync(`${path}.webp`, Buffer.from(data, 'base64'));
  await devtools.detach();
}
