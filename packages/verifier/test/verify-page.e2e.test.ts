import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { presentationText } from '@decision-ledger/proof/presentation/format';
import { memorySource } from '@decision-ledger/verifier/archive/byte-source';
import { verdictsIn } from '@decision-ledger/verifier/report/report';
import { verifyBundle } from '@decision-ledger/verifier/verify';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pack } from './support/bundle.js';
import { findChromium } from './support/chromium-install.js';
import { draftAt, draftOf } from './support/draft.js';
import { overwritten } from './support/files-in.js';
import { GOLDEN_MONEY } from './support/golden-money.js';
import { testKey } from './support/keys.js';
import { checkpointOf, signRound, startLogs } from './support/logs.js';
import { presentation } from './support/presentation.js';
import { erasedStory, fullStory, movementsStory } from './support/samples.js';
import { statementStory } from './support/statement.js';
import { Story } from './support/story.js';

const PAGE = new URL('../dist/verify.html', import.meta.url);
const VECTORS = new URL('../../../vectors/bundles/', import.meta.url);
const PINNED = testKey('first').fingerprint;

const found = findChromium();
const describeChromium = (name: string, body: () => void) =>
  'reason' in found
    ? describe.skip(`${name} (skipped: ${found.reason})`, body)
    : describe(name, body);

/** Drops a file on the page whose bytes become available with the event of its name. */
const DROP = `([name, text]) => {
  const file = new File([Uint8Array.from(atob(text), (char) => char.charCodeAt(0))], name);
  const event = new Promise((resolve) => document.addEventListener('read ' + name, resolve));
  file.slice = (start, end) => {
    const part = Blob.prototype.slice.call(file, start, end);
    return { arrayBuffer: () => event.then(() => part.arrayBuffer()) };
  };
  const transfer = new DataTransfer();
  transfer.items.add(file);
  const drop = new DragEvent('drop', { bubbles: true, cancelable: true });
  transfer.files[Symbol.iterator] = () => [file].values();
  Object.defineProperty(drop, 'dataTransfer', { value: { files: transfer.files } });
  document.dispatchEvent(drop);
}`;

describeChromium('Page in Chromium, opened from a file without a network', () => {
  let browser: Browser;
  let page: Page;
  let folder: string;
  const problems: string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'decision-ledger-page-'));
    const executablePath = 'path' in found ? found.path : '';
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    const context = await browser.newContext({ offline: true });
    page = await context.newPage();
    page.on('request', (request) => {
      if (!request.url().startsWith('file:')) problems.push(`request: ${request.url()}`);
    });
    page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
    page.on('console', (line) => {
      if (line.type() === 'error') problems.push(`console: ${line.text()}`);
    });
    await page.goto(PAGE.href);
  });

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  interface Given {
    readonly previous?: Buffer;
    readonly checkpoint?: string;
    readonly consistency?: string;
  }

  async function seen(bundle: Buffer, fingerprint: string, given: Given = {}) {
    await page.goto(PAGE.href);
    writeFileSync(join(folder, 'bundle.zip'), bundle);
    await page.setInputFiles('#bundle', join(folder, 'bundle.zip'));
    for (const [id, contents] of Object.entries(given)) {
      writeFileSync(join(folder, id), contents);
      await page.setInputFiles(`#${id}`, join(folder, id));
    }
    await page.fill('#fingerprint', fingerprint);
    await page.click('#check');
    await page.waitForSelector('section[data-verdict="time"]');
    const banner = await page.locator('.test').count();
    const verdicts: { [name: string]: unknown } = {};
    for (const section of await page.locator('section[data-verdict]').all()) {
      verdicts[(await section.getAttribute('data-verdict')) ?? ''] = {
        verdict: await section.getAttribute('data-outcome'),
        basis: await section.getAttribute('data-basis'),
        sentence: await section.locator('.sentence').textContent(),
        codes: await section
          .locator('li')
          .evaluateAll((items) => items.map((item) => item.getAttribute('data-code'))),
      };
    }
    return { banner, verdicts };
  }

  async function expected(bundle: Buffer, fingerprint: string, given: Given = {}) {
    const { previous, ...texts } = given;
    const report = await verifyBundle(memorySource(bundle), {
      ...(fingerprint !== '' && { keyFingerprint: fingerprint }),
      ...(previous !== undefined && { previous: memorySource(previous) }),
      ...texts,
    });
    const verdicts: { [name: string]: unknown } = {};
    for (const [name, { verdict, basis, sentence, findings }] of verdictsIn(report)) {
      const shown = findings.slice(0, 20).map(({ code }) => code);
      verdicts[name] = { verdict, basis, sentence, codes: shown };
    }
    return { banner: report.bundle?.mode === 'test' ? 1 : 0, verdicts };
  }

  const bundles: { [name: string]: () => Promise<Buffer> } = {
    'a good one': () => pack(draftOf(fullStory())),
    'one with an erased field': () => pack(draftOf(erasedStory())),
    'one of test data': () => pack(draftOf(fullStory({ mode: 'test' }))),
    'one for regulators': () => pack(draftOf(fullStory(), { exportType: 'compliance' })),
    'one with money that several report': () => pack(draftOf(movementsStory())),
    'one for underwriters': () => pack(draftOf(fullStory(), { exportType: 'insurance' })),
    'one of the figures of an agent': () =>
      pack(draftOf(statementStory(), { exportType: 'statement' })),
    'one that was packed anew': () => pack(draftOf(fullStory()), { compress: true }),
    'one with a payload longer than any buffer': () => {
      const story = new Story();
      story.act('key.issued', 'key_1', { name: 'ü' });
      story.decide({ inputs: { text: '€ä'.repeat(50_000) } });
      return pack(draftOf(story));
    },
    'one with a changed byte': async () =>
      overwritten(await pack(draftOf(fullStory())), 'approve_refund', 'x'),
    'no bundle': () => Promise.resolve(Buffer.from('no bundle at all, but long enough')),
  };

  test.each(Object.keys(bundles))(
    'The page shows the verdicts of the command line for %s',
    async (name) => {
      const bundle = await bundles[name]?.();
      if (bundle === undefined) throw new Error(name);
      expect(await seen(bundle, PINNED)).toEqual(await expected(bundle, PINNED));
      expect(problems).toEqual([]);
    },
  );

  const golden = GOLDEN_MONEY.map(({ file }) => file);
  test.each(golden)('The page finds in %s what is written beside it', async (file) => {
    const { verdicts } = await seen(readFileSync(new URL(file, VECTORS)), PINNED);
    const listed: { bundles: { file: string; verdicts: object }[] } = JSON.parse(
      readFileSync(new URL('expected.json', VECTORS), 'utf8'),
    );
    expect(verdicts).toMatchObject(listed.bundles.find((one) => one.file === file)?.verdicts ?? {});
    expect(problems).toEqual([]);
  });

  test('The page shows the verdicts of the command line without a fingerprint, and with another one', async () => {
    const bundle = await pack(draftOf(fullStory()));
    for (const fingerprint of ['', testKey('second').fingerprint]) {
      expect(await seen(bundle, fingerprint)).toEqual(await expected(bundle, fingerprint));
    }
    expect(problems).toEqual([]);
  });

  test('The page shows the verdicts of the command line for a continued bundle', async () => {
    const story = fullStory();
    const earlier = await pack(draftOf(story));
    story.decide();
    const later = await pack(draftOf(story));
    for (const [bundle, previous] of [[later, earlier] as const, [earlier, later] as const]) {
      expect(await seen(bundle, PINNED, { previous })).toEqual(
        await expected(bundle, PINNED, { previous }),
      );
    }
    expect(problems).toEqual([]);
  });

  test('The page shows the verdicts of the command line for a kept checkpoint', async () => {
    const story = new Story();
    startLogs(story);
    story.decide();
    story.wait(90 * 24 * 60);
    const bundle = await pack(draftAt(story, signRound(story)));
    const outcomes = [];
    for (const seed of [2, 9]) {
      const given = { checkpoint: checkpointOf(story, 'activity', 4, seed) };
      const shown = await seen(bundle, PINNED, given);
      expect(shown).toEqual(await expected(bundle, PINNED, given));
      outcomes.push(Object(shown.verdicts.completeness).verdict);
    }
    expect(outcomes).toEqual(['pass', 'fail']);
    const changed = await pack(draftAt(story, { decisions: 1, activity: 3 }));
    expect(await seen(changed, PINNED)).toEqual(await expected(changed, PINNED));
    expect(problems).toEqual([]);
  });

  test('The page checks a presentation, and shows its values', async () => {
    const given = presentation();
    writeFileSync(join(folder, 'one.dlp.json'), presentationText(given));
    const outcomes = async (keys: string) => {
      await page.goto(PAGE.href);
      await page.setInputFiles('#bundle', join(folder, 'one.dlp.json'));
      await page.fill('#log-keys', keys);
      await page.click('#check');
      await page.waitForSelector('section[data-verdict="time"]');
      const section = (name: string) => page.locator(`section[data-verdict="${name}"]`);
      return Promise.all(
        ['integrity', 'authenticity'].map((name) => section(name).getAttribute('data-outcome')),
      );
    };
    const keys = [given.verifier_key, given.erasures?.verifier_key].join(' ');
    expect(await outcomes(keys)).toEqual(['pass', 'pass']);
    expect(await page.locator('dl').textContent()).toContain('a \\"quoted\\" \\\\ text');
    expect(await outcomes('')).toEqual(['pass', 'unproven']);
    expect(problems).toEqual([]);
  });

  test('A name that contains markup is shown as text', async () => {
    const draft = draftOf(fullStory());
    draft.files.set('README.txt', Buffer.from('x'));
    const zip = await pack({ ...draft, manifest: { ...draft.manifest, export_id: '<img src=x>' } });
    await seen(zip, '');
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.locator('dd').first().textContent()).toContain('<img src=x>');
  });

  async function drop(name: string, bundle: Buffer) {
    await page.evaluate(`(${DROP})(${JSON.stringify([name, bundle.toString('base64')])})`);
  }

  /** Makes a dropped file readable, and waits for longer than its check takes. */
  async function letRead(name: string) {
    await page.evaluate(`document.dispatchEvent(new Event('read ${name}'))`);
    await page.waitForTimeout(1000);
  }

  test.each([
    ['first', 'second'],
    ['second', 'first'],
  ])('The newest of two dropped files is shown, even if the %s is read first', async (...order) => {
    await page.goto(PAGE.href);
    await drop('first', await pack(draftOf(fullStory({ mode: 'test' }))));
    await drop('second', await pack(draftOf(fullStory())));
    const shown = () => page.locator('#result > p').allTextContents();
    for (const name of order) {
      await letRead(name);
      const isDone = order[0] === 'second' || name === 'second';
      expect((await shown())[0]).toBe(isDone ? 'second' : undefined);
      expect(await page.locator('#check').isDisabled()).toBe(!isDone);
      expect(await page.locator('#progress').isHidden()).toBe(isDone);
    }
    expect(await page.locator('.test').count()).toBe(0);
    expect(await page.locator('#problem').textContent()).toBe('');
    expect(problems).toEqual([]);
  });

  test('A text that is not a fingerprint is not compared', async () => {
    await page.goto(PAGE.href);
    await page.setInputFiles('#bundle', fileURLToPath(PAGE));
    await page.fill('#fingerprint', 'abc');
    await page.click('#check');
    await page.locator('#problem', { hasText: 'fingerprint' }).waitFor();
    expect(await page.locator('#problem').textContent()).toContain('64 hexadecimal digits');
    expect(await page.locator('section').count()).toBe(0);
  });
});
