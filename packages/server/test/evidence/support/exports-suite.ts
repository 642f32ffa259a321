import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { IssuedKey, Key } from '@decision-ledger/contract/access';
import { ActivityPage } from '@decision-ledger/contract/chain';
import { Export, ExportPage } from '@decision-ledger/contract/export';
import { ReviewAnswer } from '@decision-ledger/contract/review';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { countFailure, expireExports } from '#server/domains/evidence/exports/index';
import { runExport } from '#server/domains/evidence/exports/run';
import { updateStalled } from '#server/domains/evidence/exports/store/exports';
import { exportMaker } from '#server/export-thread/make-in-thread';
import { idToUuid, uuidToId } from '#server/platform/ids';
import { isThorough } from '../../../../proof/test/support/runs.js';
import { type Client, dataOf, errorOf, expectRefusal } from '../../support/client.js';
import { dyingAfter } from '../../support/dying-database.js';
import { erase, FULL } from '../../support/erasures.js';
import { decide } from '../../support/estimates.js';
import {
  ALWAYS,
  askFor,
  bundleOf,
  CONSISTENT,
  check,
  contentOf,
  download,
  finished,
  jsonOf,
  make,
  postExport,
  readExport,
  runTools,
  statusesTold,
  textOf,
  verdictsOf,
} from '../../support/exports.js';
import { recordEvent } from '../../support/money.js';
import { databaseAt } from '../../support/own-database.js';
import { type Engine, openTestService, scopeOf, type TestService } from '../../support/service.js';

let bed: TestService;
let client: Client;

const HOUR = 3_600_000;
const FORENSIC = { export_type: 'forensic', ...ALWAYS };
const PASSED = { ...CONSISTENT, authenticity: 'unproven' };

/**
 * An export is requested, made once despite failures, downloaded in time by authorised callers, and
 * then deleted.
 */
export function exportsSuite(engine: Engine): void {
  describe(`Exports on ${engine}`, () => {
    beforeAll(async () => {
      bed = await openTestService(engine);
    });
    beforeEach(async () => {
      client = (await bed.organisation()).live;
      await client.patch('/settings', { rate_limits: { exports_per_hour: 1000 } });
    });
    afterAll(() => bed.close());
    describe('Requests', asking);
    it.each(REVIEWS)('A bundle verifies after the review of an event %j', answering);
    describe('Downloads', downloading);
    describe('Failed workers', dying);
    describe('Expiry', expiring);
  });
  describe(`Exports by a worker on ${engine}`, () => {
    let worker: TestService;
    beforeAll(async () => {
      worker = await openTestService(engine, { isWorker: true });
    });
    afterAll(() => worker.close());

    it('A worker makes requested exports by itself', async () => {
      const own = (await worker.organisation()).live;
      await decide(own, FULL);
      const bundle = await finished(worker, own);
      expect(verdictsOf(await check(bundle))).toEqual(PASSED);
      expect(await statusesTold(worker, bundle.id)).toEqual(['pending', 'running', 'complete']);
    });
  });
}

/** Answers about an event as a whole; null takes one back. */
const REVIEWS = [[{ none: true }], [{ skip: true }], [{ none: true }, null]];

async function answering(...answers: readonly (object | null)[]): Promise<void> {
  const { id } = await recordEvent(client);
  for (const answer of answers) {
    const given =
      answer === null ? client.delete(`/reviews/${id}`) : client.post(`/reviews/${id}`, answer);
    dataOf(await given, ReviewAnswer);
  }
  const report = await check(await bundleOf(bed, client));
  expect(report.verdicts.integrity.findings).toEqual([]);
  expect(verdictsOf(report)).toEqual(PASSED);
}

function asking(): void {
  it('Exports are accepted, listed newest first, and read by id', async () => {
    const first = await askFor(client, { start_date: '2026-01-01', end_date: '2026-03-31' });
    expect(first).toMatchObject({
      ...{ export_type: 'forensic', status: 'pending', progress: 0, decisions: null },
      start_date: '2026-01-01T00:00:00.000Z',
      end_date: '2026-04-01T00:00:00.000Z',
      ...{ warnings: [], completed_at: null, expires_at: null },
    });
    const second = await askFor(client, { export_type: 'insurance' });
    const { exports } = dataOf(await client.get('/exports'), ExportPage);
    expect(exports.map(({ export_id }) => export_id)).toEqual([second.export_id, first.export_id]);
    const page = dataOf(await client.get('/exports?limit=1'), ExportPage);
    const rest = await client.get(`/exports?limit=1&cursor=${page.next_cursor}`);
    expect(dataOf(rest, ExportPage)).toMatchObject({ exports: [first], next_cursor: null });
    expect(await readExport(client, first.export_id)).toEqual(first);
    const none = dataOf(await client.get('/exports?status=complete'), ExportPage);
    expect(none.exports).toEqual([]);
  });

  it.for([
    [{ export_type: 'everything' }, 'export_type'],
    [{ start_date: 'soon' }, 'start_date'],
    [{ end_date: '2026-13-01' }, 'end_date'],
    [{ start_date: '2026-02-01', end_date: '2026-01-01' }, 'start_date'],
    [{ start_date: '2026-01-01T00:00:00Z', end_date: '2026-01-01T00:00:00Z' }, 'end_date'],
    [{ more: 'x' }, 'more'],
  ] as const)('An invalid request is refused with its field named: %j', async ([fields, path]) => {
    const { details } = errorOf(await client.post('/exports', { ...FORENSIC, ...fields }));
    expect(Object.keys(details?.fields ?? {})).toEqual([path]);
    expect(dataOf(await client.get('/exports'), ExportPage).exports).toEqual([]);
  });

  it('An organisation may export once an hour, both modes together, and a failed export restores the allowance', async () => {
    const org = await bed.organisation('default');
    const first = await postExport(org.live);
    const { export_id } = dataOf(first, Export, 202);
    expect(first.header('ratelimit-policy')).toBe('"exports";q=1;w=3600');
    expect(first.header('ratelimit')).toBe('"exports";r=0;t=3600');
    bed.clock.advance(600_000);
    for (const mode of ['live', 'test'] as const) {
      const refused = await postExport(org[mode]);
      expectRefusal(refused, 'rate_limited');
      expect(refused.header('retry-after')).toBe('3000');
      // The message for people, beside the headers for programs.
      const at = new Date(bed.clock.now() + 3_000_000).toISOString();
      const { message } = errorOf(refused);
      expect(message).toContain(`retry in 50 minutes, at ${at}`);
      expect(message).toContain('rate_limits.exports_per_hour');
      expect(refused.header('ratelimit')).toBe('"exports";r=0;t=3000');
    }
    dataOf(await postExport((await bed.organisation('default')).live), Export, 202);
    await failOften(org.live, export_id);
    dataOf(await postExport(org.test), Export, 202);
    expectRefusal(await postExport(org.live), 'rate_limited');
    bed.clock.advance(HOUR);
    dataOf(await postExport(org.live), Export, 202);
  });

  it('Two concurrent requests use the allowance once, and an invalid one does not use it', async () => {
    const org = await bed.organisation('default');
    expectRefusal(
      await postExport(org.live, { export_type: 'x' }),
      'validation_error',
      'export_type',
    );
    const answers = await Promise.all([1, 2, 3, 4].map(() => postExport(org.live)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 429, 429, 429]);
  });

  it('An export is requested once per Idempotency-Key', async () => {
    const org = await bed.organisation('default');
    const headers = { 'idempotency-key': 'the one of this quarter' };
    const first = dataOf(await postExport(org.live, {}, headers), Export, 202);
    const again = await postExport(org.live, {}, headers);
    expect(again.header('idempotency-replayed')).toBe('true');
    expect(dataOf(again, Export, 202)).toEqual(first);
    const other = await postExport(org.live, { export_type: 'compliance' }, headers);
    expectRefusal(other, 'idempotency_conflict');
    expect(dataOf(await org.live.get('/exports'), ExportPage).exports).toHaveLength(1);
  });
}

/** Makes an export fail until it is dead. */
async function failOften(own: Client, id: string): Promise<void> {
  const scope = await scopeOf(bed, own);
  const { tools } = runTools(bed, {
    verify: () => Promise.reject(new Error('a secret detail')),
  });
  for (let failures = 1; failures <= 6; failures += 1) {
    const run = runExport(tools.db.ledger(scope), tools, id, new AbortController().signal);
    if (failures < 6) await expect(run).rejects.toThrow('a secret detail');
    else await run;
  }
  const failed = await readExport(own, id);
  expect(failed).toMatchObject({ status: 'failed', reason: expect.stringContaining('logged') });
}

function downloading(): void {
  let id: string;
  let link: URL;

  beforeEach(async () => {
    await decide(client, FULL);
    id = (await askFor(client)).export_id;
  });
  const finish = async () => {
    await make(bed, client, id);
    link = new URL((await readExport(client, id)).download_url ?? '', 'http://ledger');
  };
  const follow = (url: URL) => bed.client().get(`${url.pathname.slice(7)}${url.search}`);

  it('A download by link or key is complete and has a file name', async () => {
    await finish();
    const shown = await readExport(client, id);
    const { archive } = await download(bed, client, id);
    expect(shown).toMatchObject({ status: 'complete', progress: 1, bytes: archive.length });
    const byKey = await client.get(`/exports/${id}/download`);
    expect(byKey.status).toBe(200);
    expect(byKey.header('content-length')).toBe(String(archive.length));
    expect(byKey.header('content-type')).toBe('application/zip');
    expect(byKey.header('content-disposition')).toContain(`${id}.zip"`);
    const digest = Buffer.from(shown.sha256 ?? '', 'hex').toString('base64');
    expect(byKey.header('repr-digest')).toBe(`sha-256=:${digest}:`);
  });

  it('An unfinished export has no link, and its download is refused with 409', async () => {
    expect((await readExport(client, id)).download_url).toBeUndefined();
    expectRefusal(await client.get(`/exports/${id}/download`), 'export_not_ready');
  });

  it('A link with any part changed is refused with 403', async () => {
    await finish();
    const other = await askFor(client);
    await make(bed, client, other.export_id);
    const bent = ['ledger', 'key_id', 'expires', 'signature'].flatMap((name) => {
      const value = link.searchParams.get(name) ?? '';
      const last = value.endsWith('0') ? '1' : '0';
      return ['', `${value}0`, value.slice(0, -1) + last].map((text) => [name, text] as const);
    });
    for (const [name, text] of bent) {
      const url = new URL(link);
      url.searchParams.set(name, text);
      expectRefusal(await follow(url), 'forbidden');
    }
    expectRefusal(await follow(new URL(link.href.replace(id, other.export_id))), 'forbidden');
    const unsigned = new URL(link);
    unsigned.searchParams.delete('signature');
    expectRefusal(await follow(unsigned), 'unauthorized');
  });

  it('A link is refused with 403 after fifteen minutes, and a new one works', async () => {
    await finish();
    bed.clock.advance(15 * 60_000 - 1000);
    expect((await follow(link)).status).toBe(200);
    bed.clock.advance(1000);
    const refused = await follow(link);
    expectRefusal(refused, 'forbidden');
    expect(refused.text).toContain('expired');
    await download(bed, client, id);
  });

  it('An export is refused with 410 after a day, by link and by key', async () => {
    await finish();
    bed.clock.advance(24 * HOUR - 1000);
    link = new URL((await readExport(client, id)).download_url ?? '', 'http://ledger');
    expect((await follow(link)).status).toBe(200);
    bed.clock.advance(1000);
    expectRefusal(await follow(link), 'gone');
    expectRefusal(await client.get(`/exports/${id}/download`), 'gone');
  });

  it('A lost file is refused with 410, and a failed export with 409 and the reason', async () => {
    await finish();
    for await (const { name } of bed.service.files.list(id)) await bed.service.files.delete(name);
    expectRefusal(await follow(link), 'gone');
    const other = (await askFor(client)).export_id;
    await failOften(client, other);
    const refused = await client.get(`/exports/${other}/download`);
    expectRefusal(refused, 'invalid_state');
    expect(refused.text).toContain('logged');
  });

  it('A key without the export permission is refused with 403, and one of another ledger with 404', async () => {
    await finish();
    const body = { name: 'reader', permissions: ['read'] };
    const { key } = dataOf(await client.post('/keys', body), IssuedKey, 201);
    expectRefusal(await bed.client(key).get(`/exports/${id}/download`), 'forbidden');
    const { live } = await bed.organisation();
    expectRefusal(await live.get(`/exports/${id}/download`), 'not_found');
    expectRefusal(await live.get(`/exports/${id}`), 'not_found');
  });

  it('A link whose key was revoked or has expired is refused with 403, and other links still work', async () => {
    await finish();
    const body = { name: 'auditor', permissions: ['export'] };
    const expiry = new Date(bed.clock.now() + 60_000).toISOString();
    const revoked = dataOf(await client.post('/keys', body), IssuedKey, 201);
    const expiring = { ...body, expires_at: expiry };
    const expired = dataOf(await client.post('/keys', expiring), IssuedKey, 201);
    const [first, second] = await Promise.all(
      [revoked, expired].map(async ({ key }) => {
        const { download_url = '' } = await readExport(bed.client(key), id);
        return new URL(download_url, 'http://ledger');
      }),
    );
    for (const url of [first, second]) expect((await follow(url ?? link)).status).toBe(200);
    dataOf(await client.delete(`/keys/${revoked.key_id}`), Key);
    const refused = await follow(first ?? link);
    expectRefusal(refused, 'forbidden');
    expect(refused.text).toContain('its key or session was revoked or has expired');
    bed.clock.advance(60_000);
    expectRefusal(await follow(second ?? link), 'forbidden');
    expect((await follow(link)).status).toBe(200);
  });

  it('Downloads by link and by key count as reads of the organisation', async () => {
    await finish();
    const limits = { rate_limits: { read_per_second: 2 } };
    expect((await client.patch('/settings', limits)).status).toBe(200);
    bed.clock.advance(2000);
    const answers = [await follow(link), await follow(link), await follow(link)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers[0]?.header('ratelimit-policy')).toBe('"read";q=2;w=1');
  });

  it('A link never contains a host from the request', async () => {
    await finish();
    const answer = await client.get(`/exports/${id}`, { host: 'attacker.example' });
    expect(answer.text).not.toContain('attacker.example');
    const { pathname, search } = new URL(dataOf(answer, Export).download_url ?? '', 'http://l');
    expect((await bed.client().get(`${pathname.slice(7)}${search}`)).status).toBe(200);
  });

  it('The signature of a link is not logged', async () => {
    await finish();
    await follow(link);
    const signature = link.searchParams.get('signature') ?? '';
    expect(bed.logLines.some((line) => line.includes('/download'))).toBe(true);
    expect(bed.logLines.filter((line) => line.includes(signature))).toEqual([]);
  });
}

function dying(): void {
  it('An export that fails at any database call is completed once by the next try', async () => {
    for (let n = 0; n < 3; n += 1) await decide(client, { ...FULL, inputs: { n } });
    const scope = await scopeOf(bed, client);
    let deaths = 0;
    // The long run has each call, on the other engine.
    const step = isThorough ? 1 : 3;
    for (let calls = 1; ; calls += step) {
      const { export_id } = await askFor(client);
      const { tools } = runTools(bed, { db: dyingAfter(bed.service.db, calls) });
      const signal = new AbortController().signal;
      const died = await runExport(tools.db.ledger(scope), tools, export_id, signal).then(
        () => false,
        () => true,
      );
      deaths += died ? 1 : 0;
      if (died) await make(bed, client, export_id);
      expect(verdictsOf(await check(await download(bed, client, export_id)))).toEqual(PASSED);
      const made = await client.get(`/activity?type=export.made&subject=${export_id}`);
      expect(dataOf(made, ActivityPage).activity).toHaveLength(1);
      if (!died) break;
    }
    expect(deaths * step).toBeGreaterThan(10);
    // Of a small ledger, nothing is read again and again.
    expect(deaths * step).toBeLessThan(50);
  });

  it('A retried export continues where it stopped, with the same snapshot', async () => {
    for (let n = 0; n < 5; n += 1) await decide(client, { ...FULL, inputs: { n } });
    const { export_id } = await askFor(client);
    const stop = new AbortController();
    const { tools, failures } = runTools(bed, {
      verify: () => {
        stop.abort(new Error('stopped'));
        return Promise.reject(stop.signal.reason);
      },
    });
    const scope = await scopeOf(bed, client);
    await expect(runExport(tools.db.ledger(scope), tools, export_id, stop.signal)).rejects.toThrow(
      'stopped',
    );
    expect(failures).toEqual([]);
    expect(await readExport(client, export_id)).toMatchObject({ status: 'running', decisions: 5 });
    await decide(client, { ...FULL, inputs: { late: true } });
    await make(bed, client, export_id);
    const bundle = await download(bed, client, export_id);
    expect(jsonOf<unknown[]>(bundle, 'decisions.json')).toHaveLength(5);
    expect(verdictsOf(await check(bundle))).toEqual(PASSED);
  });

  it('An export that runs out of memory six times is given up with the reason', async () => {
    const { export_id } = await askFor(client);
    const scope = await scopeOf(bed, client);
    const { workDir, storage, filesAddress, keyring, signedNotes } = bed.service;
    const signedDir = signedNotes.folder;
    const failures: unknown[] = [];
    const onFailure = (error: unknown) => void failures.push(error);
    const make = exportMaker(
      { address: storage.address, files: filesAddress, workDir, signedDir, keyring },
      { onFailure, onRestart: () => undefined },
      async (own, id, error) =>
        (await countFailure(
          bed.service.db.ledger(own),
          { ...bed.service, onFailure },
          id,
          error,
        )) === 'failed',
      { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 8 },
    );
    const { signal } = new AbortController();
    for (let tries = 1; tries < 6; tries += 1) {
      await expect(make(scope, export_id, signal)).rejects.toThrow('memory');
    }
    await make(scope, export_id, signal);
    expect(failures).toHaveLength(6);
    expect(await readExport(client, export_id)).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('memory'),
    });
    expect(await statusesTold(bed, export_id)).toEqual(['pending', 'failed']);
  });

  it('An export given up while it is made leaves no work folder', async () => {
    await decide(client, FULL);
    const { export_id } = await askFor(client);
    const scope = await scopeOf(bed, client);
    const desk = runTools(bed);
    await runExport(
      bed.service.db.ledger(scope),
      {
        ...desk.tools,
        async verify(...walk) {
          await bed.service.db
            .ledger(scope)
            .write((tx) => updateStalled(tx, bed.clock.now() + 1, 'given up'));
          return desk.tools.verify(...walk);
        },
      },
      export_id,
      new AbortController().signal,
    );
    expect(await readExport(client, export_id)).toMatchObject({ status: 'failed' });
    expect(await readdir(bed.service.workDir)).toEqual([]);
  });

  it('A finished export leaves no work folder', async () => {
    await bundleOf(bed, client);
    expect(await readdir(bed.service.workDir)).toEqual([]);
  });

  it('An export contains nothing that is erased while it is made', async () => {
    const { decision_id } = await decide(client, FULL);
    const { export_id } = await askFor(client);
    const desk = runTools(bed);
    let erased = false;
    const { tools } = runTools(bed, {
      async verify(...walk) {
        if (!erased) await erase(client, decision_id, 'inputs');
        erased = true;
        return desk.tools.verify(...walk);
      },
    });
    await make(bed, client, export_id, { verify: tools.verify });
    const bundle = await download(bed, client, export_id);
    expect(contentOf(bundle).includes('secret-inputs')).toBe(false);
    expect(textOf(bundle, 'decisions.json')).toContain('"erased_fields":["inputs"]');
    expect(verdictsOf(await check(bundle))).toEqual(PASSED);
  });
}

function expiring(): void {
  const filesOf = async (id: string) => {
    const names = [];
    for await (const { name } of bed.service.files.list(id)) names.push(name);
    return names;
  };

  it('An expired export loses its file and says so', async () => {
    const { id } = await bundleOf(bed, client);
    await expireExports(bed.service);
    expect(await filesOf(id)).toHaveLength(1);
    bed.clock.advance(24 * HOUR);
    await expireExports(bed.service);
    expect(await filesOf(id)).toEqual([]);
    const shown = await readExport(client, id);
    expect(shown).toMatchObject({ status: 'expired', progress: 1 });
    expect(shown.download_url).toBeUndefined();
    expectRefusal(await client.get(`/exports/${id}/download`), 'gone');
  });

  it('An erasure withdraws the exports whose range includes it, and no others', async () => {
    const inside = await decide(client, { ...FULL, timestamp: '2026-02-10T00:00:00Z' });
    const outside = await decide(client, { ...FULL, timestamp: '2026-03-10T00:00:00Z' });
    const range = { start_date: '2026-02-01', end_date: '2026-02-28' };
    const { id } = await bundleOf(bed, client, range);
    const sums = await bundleOf(bed, client, { ...range, export_type: 'insurance' });
    await erase(client, outside.decision_id, 'inputs');
    await download(bed, client, id);
    await erase(client, inside.decision_id, 'outputs');
    expectRefusal(await client.get(`/exports/${id}/download`), 'gone');
    await expireExports(bed.service);
    expect(await filesOf(id)).toEqual([]);
    expect(await readExport(client, id)).toMatchObject({ status: 'expired' });
    await download(bed, client, sums.id);
  });

  it('Work folders exist only for unfinished exports, and other files are not touched', async () => {
    const { files, workDir } = bed.service;
    const underway = idToUuid('exp', (await askFor(client)).export_id);
    const ended = idToUuid('exp', (await bundleOf(bed, client)).id);
    const folders = [underway, ended].map((uuid) => join(workDir, `${uuid}@0123456789ab`));
    for (const folder of folders) await mkdir(folder, { recursive: true });
    await expireExports(bed.service);
    expect(await readdir(workDir)).toEqual([`${underway}@0123456789ab`]);
    await rm(folders[0] ?? '', { recursive: true });
    const local = join(workDir, 'something');
    await writeFile(local, 'something');
    const id = uuidToId('exp', bed.service.ids.uuid());
    const foreign = ['exp_2024/report.csv', `${id}.zip`, `exp_other.0123456789abcdef.zip`];
    const orphan = `${id}.0123456789abcdef.zip`;
    for (const name of [orphan, ...foreign]) await files.put(name, local);
    await expireExports({
      ...bed.service,
      db: databaseAt(bed.service.db, { now: () => Date.UTC(2100, 0) }),
    });
    expect(await filesOf(orphan)).toEqual([]);
    for (const name of foreign) expect(await filesOf(name)).toEqual([name]);
    expect(await readdir(workDir)).toEqual([]);
  });

  it('An export that was not made within a day is given up', async () => {
    const { export_id } = await askFor(client);
    bed.clock.advance(24 * HOUR + 1000);
    await expireExports(bed.service);
    expect(await readExport(client, export_id)).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('worker'),
    });
    await make(bed, client, export_id);
    expect(await readExport(client, export_id)).toMatchObject({ status: 'failed' });
  });
}
