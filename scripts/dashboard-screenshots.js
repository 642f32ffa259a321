// Takes pictures of every page of the dashboard, light and dark, wide and phone.
// usage: node scripts/dashboard-screenshots.js URL KEY FOLDER
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { Ledger } from '@decision-ledger/client';
import { chromium } from 'playwright-core';
import { findChromium } from '../packages/verifier/test/support/chromium-install.js';

const SCREENS = {
  wide: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true },
};
const SCHEMES = ['light', 'dark'];

const [url, key, folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('usage: node scripts/dashboard-screenshots.js URL KEY FOLDER\n');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const found = findChromium();
if ('reason' in found) throw new Error(found.reason);
const browser = await chromium.launch({ executablePath: found.path, args: ['--no-sandbox'] });
try {
  const pages = await pagesOf(new Ledger({ url, key }));
  for (const [screen, options] of Object.entries(SCREENS)) {
    for (const colorScheme of SCHEMES) await takeAll({ pages, screen, options, colorScheme });
  }
} finally {
  await browser.close();
}

/** The path of each page, by the name of its pictures. */
async function pagesOf(ledger) {
  const [link] = await ledger.links.list().toArray(1);
  const [decision] = await ledger.decisions.list().toArray(1);
  const id = link?.decision_id ?? decision?.decision_id;
  const details = id === undefined ? {} : { decision: `/decisions/${id}` };
  const agent =
    decision === undefined ? {} : { agent: `/agents/${encodeURIComponent(decision.agent_id)}` };
  const menu = [
    'agents',
    'decisions',
    'review',
    'money',
    'exposure',
    'evidence',
    'activity',
    'settings',
  ];
  return {
    home: '/',
    ...Object.fromEntries(menu.map((name) => [name, `/${name}`])),
    ...details,
    ...agent,
  };
}

async function takeAll({ pages, screen, options, colorScheme }) {
  const context = await browser.newContext({
    ...options,
    ...{ colorScheme, locale: 'en-GB', timezoneId: 'Europe/Berlin', reducedMotion: 'reduce' },
  });
  const page = await context.newPage();
  const take = (name) =>
    page.screenshot({ path: join(folder, `${name}-${screen}-${colorScheme}.png`) });
  await page.goto(url);
  await page.getByLabel('API key').waitFor();
  await take('sign-in');
  await page.getByLabel('API key').fill(key);
  await page.getByLabel('Your name').fill('Ada Lovelace');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(new URL(path, url).href);
    await page.getByRole('heading', { level: 1 }).waitFor();
    // What is loaded after the heading.
    await page.waitForTimeout(700);
    await take(name);
  }
  await context.close();
}
