import { ExportPage, SigningKeyPage } from '@decision-ledger/contract/export';
import { expect } from 'vitest';
import { dataOf, expectRefusal } from '../../support/client.js';
import { ALWAYS, askFor, bundleOf, contentOf, make, postExport } from '../../support/exports.js';
import { scopeOf, type TestService } from '../../support/service.js';
import { type Case, expectNothingOf, type Ledger } from './isolation-ledger.js';

/** The cases of the evidence routes. */
export const EXPORT_CASES: Readonly<Record<string, Case>> = {
  'POST /api/v1/exports': exportsOwn,
  'GET /api/v1/exports': listsOwn,
  'GET /api/v1/exports/:id': async (own, foreign, bed) => {
    const { export_id } = await ofLedger(foreign, bed);
    expectRefusal(await own.client.get(`/exports/${export_id}`), 'not_found');
  },
  'GET /api/v1/exports/:id/custody': async (own, foreign, bed) => {
    const { export_id } = await ofLedger(foreign, bed);
    expectRefusal(await own.client.get(`/exports/${export_id}/custody`), 'not_found');
  },
  'GET /api/v1/exports/:id/download': downloadsOwn,
  'GET /api/v1/signing-keys': showsOwnKeys,
};

const made = new Map<string, Promise<{ readonly export_id: string; readonly url: string }>>();

/** One finished export of each ledger. */
function ofLedger({ mark, client, org }: Ledger, bed: TestService) {
  const known = made.get(mark) ?? makeOne();
  made.set(mark, known);
  return known;

  async function makeOne() {
    await org.live.patch('/settings', { rate_limits: { exports_per_hour: 1000 } });
    const { export_id } = await askFor(client);
    await make(bed, client, export_id);
    const answer = await client.get(`/exports/${export_id}`);
    const url: string = JSON.parse(answer.text).data.download_url;
    return { export_id, url };
  }
}

const bundles = new Map<string, Promise<readonly string[]>>();

/** The contents of one bundle of each kind; all that the ledgers are filled with precedes them. */
function bundlesOf({ mark, client }: Ledger, bed: TestService): Promise<readonly string[]> {
  const known = bundles.get(mark) ?? makeEach();
  bundles.set(mark, known);
  return known;

  async function makeEach() {
    const texts: string[] = [];
    const statement = { export_type: 'statement', agent_id: mark };
    const types = ['forensic', 'compliance', 'insurance'].map((export_type) => ({ export_type }));
    for (const fields of [...types, statement]) {
      texts.push(contentOf(await bundleOf(bed, client, fields)).toString('utf8'));
    }
    return texts;
  }
}

/**
 * No bundle of any kind contains a trace of the other ledger, and Idempotency-Keys are per ledger.
 */
async function exportsOwn(own: Ledger, foreign: Ledger, bed: TestService): Promise<void> {
  await ofLedger(own, bed);
  await ofLedger(foreign, bed);
  const headers = { 'idempotency-key': `export ${own.mark} ${foreign.mark}` };
  for (const { client } of [foreign, own]) {
    const answer = await postExport(client, ALWAYS, headers);
    expect(answer.header('idempotency-replayed')).toBeUndefined();
  }
  for (const text of await bundlesOf(own, bed)) {
    const { orgId } = await scopeOf(bed, own.client);
    if (orgId === foreign.scope.orgId) expectNoRecordOf(foreign, text);
    else expectNothingOf(foreign, text);
  }
}

/** Two ledgers of an organisation share its name and its keys. */
function expectNoRecordOf({ mark, receipts, events, links }: Ledger, text: string): void {
  const ids = [...receipts.map(({ decision_id }) => decision_id), ...events.map(({ id }) => id)];
  for (const trace of [mark, ...ids, ...links.map(({ id }) => id)]) {
    expect(text).not.toContain(trace);
  }
}

async function listsOwn(own: Ledger, foreign: Ledger, bed: TestService): Promise<void> {
  const mine = await ofLedger(own, bed);
  const theirs = await ofLedger(foreign, bed);
  const all = await own.client.get('/exports?limit=500');
  expectNothingOf(foreign, all.text);
  const ids = dataOf(all, ExportPage).exports.map(({ export_id }) => export_id);
  expect(ids).toContain(mine.export_id);
  expect(ids).not.toContain(theirs.export_id);
  const { next_cursor } = dataOf(await foreign.client.get('/exports?limit=1'), ExportPage);
  if (next_cursor === null) return;
  expectRefusal(
    await own.client.get(`/exports?limit=1&cursor=${next_cursor}`),
    'malformed_request',
  );
}

/** A download link opens only the export of its own ledger, even with parts replaced. */
async function downloadsOwn(own: Ledger, foreign: Ledger, bed: TestService): Promise<void> {
  const mine = await ofLedger(own, bed);
  const theirs = await ofLedger(foreign, bed);
  expectRefusal(await own.client.get(`/exports/${theirs.export_id}/download`), 'not_found');
  const swapped = new URL(mine.url.replace(mine.export_id, theirs.export_id), 'http://ledger');
  const ledger = new URL(theirs.url, 'http://ledger').searchParams.get('ledger') ?? '';
  for (const named of [swapped.searchParams.get('ledger') ?? '', ledger]) {
    swapped.searchParams.set('ledger', named);
    const path = `${swapped.pathname.replace('/api/v1', '')}${swapped.search}`;
    expectRefusal(await bed.client().get(path), 'forbidden');
  }
}

/** Both ledgers of an organisation show its signing keys, and no other organisation's. */
async function showsOwnKeys(own: Ledger, foreign: Ledger, bed: TestService): Promise<void> {
  await Promise.all([ofLedger(own, bed), ofLedger(foreign, bed)]);
  const keysOf = async ({ client }: Ledger) =>
    dataOf(await client.get('/signing-keys'), SigningKeyPage).signing_keys;
  const [mine, theirs] = [await keysOf(own), await keysOf(foreign)];
  expect(mine).toHaveLength(1);
  if (own.org.id === foreign.org.id) expect(theirs).toEqual(mine);
  else expect(theirs).not.toEqual(mine);
}
