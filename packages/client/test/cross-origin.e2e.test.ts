import { createServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { Ledger } from '@decision-ledger/client';
import { type Browser, chromium } from 'playwright-core';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Organisation,
  openTestService,
  type TestService,
} from '../../server/test/support/service.js';
import { findChromium } from '../../verifier/test/support/chromium-install.js';

const found = findChromium();
const describeChromium = (name: string, body: () => void) =>
  'reason' in found
    ? describe.skip(`${name} (skipped: ${found.reason})`, body)
    : describe(name, body);

let bed: TestService;
let org: Organisation;
let browser: Browser;
let pages: Server;
let code: string;
let ledgerUrl: string;

/** The origin of the pages, under one of the two names of this machine. */
function originOf(host: '127.0.0.1' | 'localhost'): string {
  const address = pages.address();
  return `http://${host}:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

async function clientCode(): Promise<string> {
  const built = await rolldown({
    input: fileURLToPath(new URL('./support/web-entry.js', import.meta.url)),
    platform: 'browser',
    logLevel: 'silent',
  });
  const { output } = await built.generate({ format: 'iife', name: 'LedgerClient' });
  await built.close();
  return output[0].code;
}

/** Runs a script in a page of an origin, and returns its result. */
async function inPage(origin: string, script: string): Promise<unknown> {
  const page = await browser.newPage();
  try {
    await page.goto(origin);
    await page.addScriptTag({ content: code });
    return await page.evaluate(`(async () => {${script}})()`);
  } finally {
    await page.close();
  }
}

async function browserKey(): Promise<string> {
  const body = { name: 'page', permissions: ['record'], agents: ['shop'] } as const;
  const ledger = new Ledger({ url: ledgerUrl, key: org.live.key });
  return (await ledger.keys.issue(body)).key;
}

async function recorded() {
  const ledger = new Ledger({ url: ledgerUrl, key: org.live.key });
  const decisions = [];
  for await (const decision of ledger.decisions.list()) decisions.push(decision);
  return decisions.toSorted((a, b) => a.seq - b.seq);
}

describeChromium('Chromium on another origin', () => {
  beforeAll(async () => {
    bed = await openTestService('embedded');
    bed.clock.advance(Date.now() - bed.clock.now());
    ledgerUrl = await bed.http.listen({ port: 0, host: '127.0.0.1' });
    pages = createServer((_, response) => {
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>Shop</title>');
    });
    await new Promise<void>((resolve) => pages.listen(0, resolve));
    org = await bed.organisation();
    await org.live.patch('/settings', { cors: { origins: [originOf('127.0.0.1')] } });
    bed.clock.advance(1000);
    code = await clientCode();
    browser = await chromium.launch({
      executablePath: 'path' in found ? found.path : '',
      args: ['--no-sandbox'],
    });
  });
  afterAll(async () => {
    await browser.close();
    pages.closeAllConnections();
    await new Promise((resolve) => pages.close(resolve));
    await bed.close();
  });

  it('The client records from a listed page, marked with its origin, and reads what was refused', async () => {
    const script = `
      const ledger = new LedgerClient.Ledger({ url: '${ledgerUrl}', key: '${await browserKey()}', onError: () => {} });
      const one = { agent_id: 'shop', action_type: 'advise', inputs: {}, outputs: {}, confidence: 1 };
      const { seq } = await ledger.recordNow(one);
      ledger.record(one);
      ledger.record({ ...one, agent_id: 'other' });
      ledger.record(one);
      const report = await ledger.close().catch((error) => error.report);
      return { seq, report };`;
    expect(await inPage(originOf('127.0.0.1'), script)).toEqual({
      seq: 1,
      report: { accepted: 3, pending: 0, failed: 1 },
    });
    const mark = { ledger_source: 'browser', ledger_origin: originOf('127.0.0.1') };
    const all = await recorded();
    expect(all.map(({ agent_id, metadata }) => [agent_id, metadata])).toEqual(
      all.map(() => ['shop', mark]),
    );
    expect(all).toHaveLength(3);
  });

  it('The page can read the request id and the rate limit, and nothing of any other operation', async () => {
    const script = `
      const headers = { 'x-ledger-key': '${org.live.key}', 'content-type': 'application/json' };
      const answer = await fetch('${ledgerUrl}/api/v1/decisions', { method: 'POST', headers, body: '{}' });
      const other = async (path, init) =>
        fetch('${ledgerUrl}/api/v1' + path, { headers, ...init }).then(() => 'read', () => 'refused');
      return {
        readable: ['x-request-id', 'ratelimit'].map((name) => answer.headers.get(name) !== null),
        others: [
          await other('/decisions'),
          await other('/me'),
          await other('/keys', { method: 'POST', body: '{}' }),
          await other('/settings', { method: 'PATCH', body: '{}' }),
        ],
      };`;
    expect(await inPage(originOf('127.0.0.1'), script)).toEqual({
      readable: [true, true],
      others: ['refused', 'refused', 'refused', 'refused'],
    });
  });

  it('A page of an origin that is not listed can send nothing', async () => {
    const before = (await recorded()).length;
    const script = `
      const headers = { 'x-ledger-key': '${await browserKey()}', 'content-type': 'application/json' };
      const body = '{"agent_id":"shop","action_type":"a","inputs":{},"outputs":{},"confidence":1}';
      return fetch('${ledgerUrl}/api/v1/decisions', { method: 'POST', headers, body }).then(
        () => 'sent',
        () => 'refused',
      );`;
    expect(await inPage(originOf('localhost'), script)).toBe('refused');
    expect(await recorded()).toHaveLength(before);
  });
});
