import { readdir } from 'node:fs/promises';
import { DecisionInDetail } from '@decision-ledger/contract/decision-view';
import { ExportPage, SigningKeyPage } from '@decision-ledger/contract/export';
import { FinancialEventPage } from '@decision-ledger/contract/financial-event';
import { Link, LinkPage } from '@decision-ledger/contract/link';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runExport } from '#server/domains/evidence/exports/run';
import { replaceSigningKey } from '#server/domains/evidence/signing-keys/index';
import { openPrivateKey } from '#server/domains/evidence/signing-keys/private-key';
import { selectCurrentSigningKey } from '#server/domains/evidence/signing-keys/store/signing-keys';
import { writeSuggestions } from '#server/domains/record/links/index';
import { idToUuid } from '#server/platform/ids';
import type { Scope } from '#server/platform/principal';
import { type Client, dataOf } from '../../support/client.js';
import { erase, FULL } from '../../support/erasures.js';
import { decide } from '../../support/estimates.js';
import {
  askFor,
  bundleOf,
  CONSISTENT,
  check,
  contentOf,
  type Downloaded,
  download,
  fingerprintOf,
  isSigned,
  jsonOf,
  make,
  postExport,
  readExport,
  runTools,
  textOf,
  verdictsOf,
} from '../../support/exports.js';
import { ringOf } from '../../support/keyring.js';
import { SCORE } from '../../support/link-score.js';
import { link, recordEvent } from '../../support/money.js';
import {
  type Engine,
  type Organisation,
  openTestService,
  scopeOf,
  type TestService,
} from '../../support/service.js';
import { withOwner } from '../../support/stored-jobs.js';

let bed: TestService;
let org: Organisation;
let client: Client;

const FEBRUARY = { start_date: '2026-02-01', end_date: '2026-02-28' };
const IN = '2026-02-10T12:00:00.000Z';
const OUT = '2026-03-10T12:00:00.000Z';
const PASSED = { ...CONSISTENT, authenticity: 'pass' };
const FILES = [
  ...['README.txt', 'CERTIFICATE.md', 'custody.json'],
  ...['decisions.json', 'entries.ndjson', 'events.json', 'links.json'],
  ...['activity.ndjson', 'chain_verification.json', 'decisions.checkpoint'],
  ...['activity.checkpoint', 'decisions.range.json', 'keys.json', 'ledger-pubkey.pem'],
  ...['manifest.json', 'manifest.sig'],
];

/** What a forensic bundle contains and withholds, and its verdicts. */
export function bundlesSuite(engine: Engine): void {
  describe(`Forensic bundles on ${engine}`, () => {
    beforeAll(async () => {
      bed = await openTestService(engine);
    });
    beforeEach(async () => {
      org = await bed.organisation();
      client = org.live;
      await client.patch('/settings', { rate_limits: { exports_per_hour: 1000 } });
    });
    afterAll(() => bed.close());
    describe('Ranges', contents);
    describe('Erased fields', erased);
    describe('Tampered ledgers', tampered);
    describe('Signatures', keys);
  });
}

/**
 * Two decisions of February with one of March between them, money of both months, and links of all
 * kinds.
 */
async function tellStory(own: Client) {
  const february = { agent_id: 'agent-in', timestamp: IN, inputs: { text: 'told in February' } };
  const march = { agent_id: 'agent-out', timestamp: OUT, inputs: { text: 'told in March' } };
  const first = await decide(own, { ...FULL, ...february });
  const between = await decide(own, march);
  const last = await decide(own, { ...february, metadata: { n: 2 } });
  const paid = await recordEvent(own, { timestamp: IN, metadata: { order: 'O-1' } });
  const deleted = await recordEvent(own, { timestamp: IN, amount: '7.50' });
  const later = await recordEvent(own, { timestamp: OUT, description: 'money of March' });
  const strange = await recordEvent(own, { timestamp: OUT, description: 'of nobody here' });
  await own.delete(`/financial-events/${deleted.id}`);
  const join = async (decisionId: string, eventId: string) =>
    dataOf(await own.post('/links', link(decisionId, eventId, { notes: 'a note' })), Link, 201).id;
  const kept = await join(first.decision_id, paid.id);
  const across = await join(last.decision_id, later.id);
  const removed = await join(first.decision_id, later.id);
  await own.delete(`/links/${removed}`);
  const outside = await join(between.decision_id, strange.id);
  return {
    decisions: { first, between, last },
    events: { paid, deleted, later, strange },
    links: { kept, across, removed, outside },
  };
}

const idsOf = (bundle: Downloaded, name: string) =>
  jsonOf<{ id: string }[]>(bundle, name).map(({ id }) => id);

function contents(): void {
  it('A bundle holds the whole records of its range in order and passes', async () => {
    const { decisions, events, links } = await tellStory(client);
    const bundle = await bundleOf(bed, client, FEBRUARY);
    expect([...bundle.files.keys()]).toEqual(FILES);
    const told = jsonOf<DecisionInDetail[]>(bundle, 'decisions.json');
    expect(told.map(({ seq }) => seq)).toEqual([1, 3]);
    for (const [n, { decision_id }] of [decisions.first, decisions.last].entries()) {
      const shown = dataOf(await client.get(`/decisions/${decision_id}`), DecisionInDetail);
      const {
        links: _links,
        links_next_cursor: _cursor,
        previous: _previous,
        next: _next,
        outcome: _outcome,
        ...fields
      } = shown;
      expect(told[n]).toMatchObject(fields);
    }
    expect(idsOf(bundle, 'events.json').sort()).toEqual([events.paid.id, events.deleted.id].sort());
    const expected = [links.kept, links.across, links.removed];
    expect(idsOf(bundle, 'links.json')).toEqual(expected);
    const listed = dataOf(await client.get('/links?include_deleted=true'), LinkPage).links;
    const all = listed.map(({ label: _label, ...evidence }) => evidence);
    for (const one of jsonOf<Link[]>(bundle, 'links.json')) {
      const { activity_seq: _seq, ...fields } = { activity_seq: 0, ...one };
      expect(all).toContainEqual(fields);
    }
    const page = await client.get('/financial-events?include_deleted=true');
    const money = dataOf(page, FinancialEventPage).financial_events;
    for (const one of jsonOf<{ id: string }[]>(bundle, 'events.json')) {
      expect(money.find(({ id }) => id === one.id)).toBeDefined();
    }
    expect(isSigned(bundle)).toBe(true);
    const report = await check(bundle, { keyFingerprint: await fingerprintOf(client) });
    expect(verdictsOf(report), JSON.stringify(report)).toEqual(PASSED);
  });

  it('A bundle shows that records outside its range exist, and none of their content', async () => {
    const { decisions, events } = await tellStory(client);
    const bundle = await bundleOf(bed, client, FEBRUARY);
    expect(textOf(bundle, 'entries.ndjson')).toContain(decisions.between.decision_id);
    const activity = textOf(bundle, 'activity.ndjson');
    expect(activity).toContain(events.strange.id);
    for (const secret of ['told in March', 'of nobody here', 'money of March']) {
      expect(contentOf(bundle).includes(secret), secret).toBe(false);
    }
    expect(contentOf(bundle).includes('told in February')).toBe(true);
  });

  it('A bundle holds suggested links and their reviews', async () => {
    const { decision_id } = await decide(client, { timestamp: IN });
    const { id } = await recordEvent(client, { timestamp: IN });
    const bundle = await bundleOf(bed, client, FEBRUARY);
    expect(idsOf(bundle, 'links.json')).toEqual([]);
    const scope = await scopeOf(bed, client);
    const suggested = await suggest(scope, decision_id, id);
    dataOf(await client.post(`/links/${suggested}/reject`, {}), Link);
    const after = await bundleOf(bed, client, FEBRUARY);
    expect(jsonOf<Link[]>(after, 'links.json')).toMatchObject([
      { id: suggested, status: 'REJECTED', deleted_at: expect.any(String) },
    ]);
  });

  it('An empty bundle passes', async () => {
    const bundle = await bundleOf(bed, client, FEBRUARY);
    expect(textOf(bundle, 'decisions.json')).toBe('[\n]\n');
    expect(jsonOf(bundle, 'manifest.json')).toMatchObject({
      decisions: { count: 0, first: null, last: null },
    });
    const report = await check(bundle, { keyFingerprint: await fingerprintOf(client) });
    expect(verdictsOf(report), JSON.stringify(report)).toEqual(PASSED);
  });

  it('A bundle of the test ledger says so in every verdict and in README.txt', async () => {
    await tellStory(org.test);
    const bundle = await bundleOf(bed, org.test, FEBRUARY);
    expect(textOf(bundle, 'README.txt')).toContain('TEST DATA');
    const { verdicts } = await check(bundle);
    for (const { sentence } of Object.values(verdicts)) expect(sentence).toMatch(/^TEST DATA: /);
  });

  it('A bundle continues its predecessor and no other bundle', async () => {
    await tellStory(client);
    const previous = await bundleOf(bed, client, FEBRUARY);
    await tellStory(client);
    const keyFingerprint = await fingerprintOf(client);
    const next = await bundleOf(bed, client);
    const report = await check(next, { keyFingerprint, previous });
    expect(verdictsOf(report), JSON.stringify(report)).toEqual(PASSED);
    const { live } = await bed.organisation();
    await tellStory(live);
    const other = await check(await bundleOf(bed, live), { previous });
    expect(verdictsOf(other)).toMatchObject({ completeness: 'fail' });
  });
}

function erased(): void {
  it('A bundle passes if a field was erased in a decision outside its range', async () => {
    await decide(client, { ...FULL, timestamp: IN });
    const { decision_id } = await decide(client, { ...FULL, timestamp: OUT });
    await decide(client, { ...FULL, timestamp: IN });
    await erase(client, decision_id, 'inputs');
    const report = await check(await bundleOf(bed, client, FEBRUARY), {
      keyFingerprint: await fingerprintOf(client),
    });
    expect(verdictsOf(report), JSON.stringify(report)).toEqual(PASSED);
  });

  it('A bundle with erased fields passes, counts them, and holds neither value nor salt', async () => {
    const { decision_id } = await decide(client, { ...FULL, timestamp: IN });
    await erase(client, decision_id, 'inputs', 'metadata');
    const bundle = await bundleOf(bed, client, FEBRUARY);
    const [told] = jsonOf<Record<string, object>[]>(bundle, 'decisions.json');
    expect(told).toMatchObject({ erased_fields: ['inputs', 'metadata'], outputs: FULL.outputs });
    expect(Object.keys(told?.salts ?? {}).sort()).toEqual(['alternatives', 'outputs']);
    expect(Object.keys(told?.commitments ?? {})).toHaveLength(4);
    for (const secret of ['secret-inputs', 'secret-metadata', 'CUST-1001', 'ORD-2002']) {
      expect(contentOf(bundle).includes(secret), secret).toBe(false);
    }
    expect(jsonOf(bundle, 'manifest.json')).toMatchObject({ decisions: { erased_fields: 2 } });
    expect(jsonOf(bundle, 'chain_verification.json')).toMatchObject({ erased_fields: 2 });
    const report = await check(bundle, { keyFingerprint: await fingerprintOf(client) });
    expect(verdictsOf(report), JSON.stringify(report)).toEqual(PASSED);
  });
}

function tampered(): void {
  const broken = async () => {
    const bundle = await bundleOf(bed, client, FEBRUARY);
    expect(jsonOf(bundle, 'chain_verification.json')).toMatchObject({ is_valid: false });
    const { verdicts } = await check(bundle);
    expect(verdicts.integrity.verdict).toBe('fail');
    return verdicts.integrity.findings;
  };

  it('A bundle of a ledger changed by the database owner is made, and fails', async () => {
    const { decision_id } = await decide(client, { ...FULL, timestamp: IN });
    await withOwner(bed, (owner) =>
      owner.query(
        `update decisions set inputs = replace(inputs, 'secret-inputs', 'other-inputs')
         where entry like '%' || $1 || '%'`,
        [decision_id],
      ),
    );
    expect(await broken()).not.toEqual([]);
  });

  it('A bundle fails if a field was emptied without an erasure', async () => {
    const { decision_id } = await decide(client, { ...FULL, timestamp: IN });
    await withOwner(bed, (owner) =>
      owner.query(`update decisions set inputs = null where entry like '%' || $1 || '%'`, [
        decision_id,
      ]),
    );
    const codes = (await broken()).map(({ code }) => code);
    expect(
      codes.some((code) => /erasure|erased|commitment/.test(code)),
      codes.join(),
    ).toBe(true);
  });

  it('No bundle is made if an amount was changed in the database, and one that is made fails', async () => {
    const { id } = await recordEvent(client, { timestamp: IN });
    await withOwner(bed, (owner) =>
      owner.query(`update financial_events set amount = 9999.00 where external_id is null`),
    );
    const { export_id } = await askFor(client, FEBRUARY);
    const { tools } = runTools(bed);
    const scope = await scopeOf(bed, client);
    await runExport(tools.db.ledger(scope), tools, export_id, new AbortController().signal);
    expect(await readExport(client, export_id)).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining(`changed_row: financial_events ${id} amount`),
    });
    // Signed all the same, the bundle contradicts itself.
    const reconcile = async () => ({ ...(await tools.reconcile(scope)), findings: [] });
    const again = await askFor(client, FEBRUARY);
    await make(bed, client, again.export_id, { reconcile });
    const bundle = await download(bed, client, again.export_id);
    expect(idsOf(bundle, 'events.json')).toEqual([id]);
    const { verdicts } = await check(bundle);
    expect(verdicts.integrity).toMatchObject({ verdict: 'fail' });
    expect(verdicts.integrity.findings).toMatchObject([{ file: 'events.json', id }]);
  });
}

function keys(): void {
  it('Bundles of both modes are signed with one key of the organisation, created once', async () => {
    expect(dataOf(await client.get('/signing-keys'), SigningKeyPage).signing_keys).toEqual([]);
    await Promise.all([bundleOf(bed, org.live), bundleOf(bed, org.test)]);
    const { signing_keys } = dataOf(await client.get('/signing-keys'), SigningKeyPage);
    expect(signing_keys).toMatchObject([{ retired_at: null }]);
    expect(dataOf(await org.test.get('/signing-keys'), SigningKeyPage)).toEqual({
      ...{ signing_keys, next_cursor: null },
    });
    for (const own of [org.live, org.test]) {
      const made = await own.get('/activity?type=signing_key.created');
      expect(made.text).toContain(signing_keys[0]?.fingerprint);
    }
  });

  it('Bundles are signed with the new key after a rotation, and earlier ones stay verifiable', async () => {
    const before = await bundleOf(bed, client);
    const former = await fingerprintOf(client);
    await replaceSigningKey(bed.service, await scopeOf(bed, client), 'operator');
    const current = await fingerprintOf(client);
    expect(current).not.toBe(former);
    const after = await bundleOf(bed, client);
    expect(jsonOf(after, 'keys.json')).toMatchObject({
      signing_keys: [
        { fingerprint: current, retired_at: null },
        { fingerprint: former, retired_at: expect.any(String) },
      ],
    });
    const verdictOf = async (bundle: Downloaded, keyFingerprint: string) =>
      (await check(bundle, { keyFingerprint })).verdicts.authenticity.verdict;
    expect(await verdictOf(before, former)).toBe('pass');
    expect(await verdictOf(after, current)).toBe('pass');
    expect(await verdictOf(after, former)).toBe('fail');
  });

  it('The private signing key appears nowhere', async () => {
    const bundle = await bundleOf(bed, client);
    const scope = await scopeOf(bed, client);
    const row = await selectCurrentSigningKey(bed.service.db, scope);
    if (row === null) throw new Error('there is no key');
    const { keyring } = bed.service;
    const secret = openPrivateKey(keyring, scope.orgId, row);
    // A stretch of the private exponent, which no public part contains.
    const traces = [secret.subarray(400, 430), secret.subarray(700, 730)].flatMap((bytes) => [
      bytes.toString('hex'),
      bytes.toString('base64').slice(2, -4),
    ]);
    const dump = await withOwner(bed, async (owner) => {
      const { rows } = await owner.query('select * from signing_keys');
      return JSON.stringify(rows) + rows.map((one) => one.private_key.toString('hex')).join();
    });
    const answers = await Promise.all(
      ['/signing-keys', '/exports', '/activity?limit=500', '/settings'].map((path) =>
        client.get(path),
      ),
    );
    const places = [dump, bed.logLines.join(), ...answers.map(({ text }) => text)];
    for (const [place, text] of [...places, contentOf(bundle).toString('latin1')].entries()) {
      for (const trace of ['PRIVATE KEY', ...traces]) expect(text, `${place}`).not.toContain(trace);
    }
    expect(contentOf(bundle).includes(secret.subarray(400, 430))).toBe(false);
  });

  it('An export under another master key fails immediately with the reason and restores the allowance', async () => {
    await client.patch('/settings', { rate_limits: { exports_per_hour: 2 } });
    await bundleOf(bed, client);
    const { export_id } = await askFor(client, FEBRUARY);
    const { tools, failures } = runTools(bed, { keyring: ringOf(9) });
    const scope = await scopeOf(bed, client);
    await runExport(tools.db.ledger(scope), tools, export_id, new AbortController().signal);
    expect(failures).toHaveLength(1);
    expect(await readdir(bed.service.workDir)).toEqual([]);
    expect(await readExport(client, export_id)).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/signing key .* cannot be decrypted.*LEDGER_MASTER_KEY/),
    });
    await bundleOf(bed, client);
  });

  it('An export is refused if the signing key does not open, and the allowance is not used', async () => {
    await client.patch('/settings', { rate_limits: { exports_per_hour: 2 } });
    await bundleOf(bed, client);
    const { orgId } = await scopeOf(bed, client);
    const alter = (place: number) =>
      withOwner(bed, (owner) =>
        owner.query(
          `update signing_keys set private_key = set_byte(private_key, 40, get_byte(private_key, 40) # ${place})
           where org_id = $1`,
          [orgId],
        ),
      );
    await alter(1);
    const asked = { 'idempotency-key': 'once' };
    const refused = await postExport(client, FEBRUARY, asked);
    expect(refused.status).toBe(503);
    expect(refused.text).toMatch(/signing key .* cannot be decrypted.*signing-key rotate/);
    expect(dataOf(await client.get('/exports'), ExportPage).exports).toHaveLength(1);
    await alter(1);
    expect((await postExport(client, FEBRUARY, asked)).status).toBe(202);
  });
}

/** A link that the engine suggests. @returns its id */
async function suggest(scope: Scope, decisionId: string, eventId: string): Promise<string> {
  const wanted = {
    ...{ decisionId: idToUuid('dec', decisionId) ?? '', strength: 0.5, reviewPriority: 0.5 },
    ...({ linkType: 'saving', reversal: false, label: 'guessed', score: { ...SCORE } } as const),
  };
  const one = { eventId: idToUuid('evt', eventId) ?? '', suggested: [wanted] };
  await bed.service.db.ledger(scope).write((tx) => writeSuggestions(tx, bed.service.hooks, [one]));
  const page = dataOf(await client.get(`/links?financial_event_id=${eventId}`), LinkPage);
  return page.links[0]?.id ?? '';
}
