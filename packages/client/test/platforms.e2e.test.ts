import { fileURLToPath } from 'node:url';
import { EdgeVM } from '@edge-runtime/vm';
import { chromium } from 'playwright-core';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../verifier/test/support/chromium-install.js';
import { type ServedLedger, serveLedger } from './support/serve.js';

let code: string;
let served: ServedLedger;

/** Records 150 decisions, fails one, and returns what happened as JSON. */
const SCRIPT = (url: string) => `
  const ledger = new LedgerClient.Ledger({ url: ${JSON.stringify(url)}, key: 'lg_test_1', onError: () => {} });
  for (let n = 0; n < 150; n += 1) {
    ledger.record({ agent_id: 'web', action_type: 'count', inputs: { n }, outputs: {}, confidence: 1 });
  }
  const receipt = await ledger.recordNow({ agent_id: 'web', action_type: 'now', inputs: {}, outputs: {}, confidence: 1 });
  const flushed = await ledger.flush();
  ledger.record({ agent_id: 'web', action_type: 'bad', inputs: {}, outputs: {}, confidence: 9 });
  const closed = await ledger.close().catch((error) => error.report);
  let outbox = '';
  try {
    new LedgerClient.Ledger({ url: 'https://a', key: 'k', outbox: './outbox' });
  } catch (error) {
    outbox = error.message;
  }
  return JSON.stringify({ flushed, closed, seq: typeof receipt.seq, outbox });
`;

const EXPECTED = {
  flushed: { accepted: 151, pending: 0, failed: 0 },
  closed: { accepted: 151, pending: 0, failed: 1 },
  seq: 'number',
  outbox: 'the option outbox needs files, which only Node.js has',
};

beforeAll(async () => {
  served = await serveLedger();
  // Resolved by the conditions of the package, as a bundler for browsers does.
  const built = await rolldown({
    input: fileURLToPath(new URL('./support/web-entry.js', import.meta.url)),
    platform: 'browser',
    logLevel: 'silent',
  });
  const { output } = await built.generate({ format: 'iife', name: 'LedgerClient' });
  await built.close();
  code = output[0].code;
});

afterAll(() => served.close());

const found = findChromium();
const describeChromium = (name: string, body: () => void) =>
  'reason' in found
    ? describe.skip(`${name} (skipped: ${found.reason})`, body)
    : describe(name, body);

describeChromium('Chromium', () => {
  it('The client records from a page, and has no outbox', async () => {
    const executablePath = 'path' in found ? found.path : '';
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      await page.addScriptTag({ content: code });
      const result = await page.evaluate(`(async () => {${SCRIPT(served.url)}})()`);
      expect(JSON.parse(String(result))).toEqual(EXPECTED);
    } finally {
      await browser.close();
    }
  });
});

describe('Edge runtime', () => {
  it('The client records from an edge function, and has no outbox', async () => {
    const vm = new EdgeVM();
    vm.evaluate(code);
    const result: unknown = await vm.evaluate(`(async () => {${SCRIPT(served.url)}})()`);
    expect(JSON.parse(String(result))).toEqual(EXPECTED);
  });
});
