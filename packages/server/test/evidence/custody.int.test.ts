import { ActivityPage } from '@decision-ledger/contract/chain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, dataOf } from '../support/client.js';
import { erase, FULL } from '../support/erasures.js';
import { decide } from '../support/estimates.js';
import {
  ALWAYS,
  bundleOf,
  check,
  fingerprintOf,
  jsonOf,
  readExport,
  textOf,
} from '../support/exports.js';
import { openTestService, type TestService } from '../support/service.js';

let bed: TestService;
let client: Client;

beforeAll(async () => {
  bed = await openTestService('embedded');
  client = (await bed.organisation()).live;
  await client.patch('/settings', { rate_limits: { exports_per_hour: 1000 } });
});
afterAll(() => bed.close());

async function custodyOf(id: string) {
  const answer = await client.get(`/exports/${id}/custody`);
  return dataOf(answer, ActivityPage).activity.reverse();
}

describe('Custody of exports', () => {
  it('The chain records who requested, made and downloaded an export, and the export lists it', async () => {
    await decide(client, FULL);
    const bundle = await bundleOf(bed, client, ALWAYS);
    const { export_id, sha256, requested_by } = await readExport(client, bundle.id);
    expect((await client.get(`/exports/${export_id}/download`)).status).toBe(200);
    const custody = await custodyOf(export_id);
    expect(custody.map(({ type, actor, data }) => [type, actor, data?.through ?? null])).toEqual([
      ['export.requested', requested_by, null],
      ['export.made', requested_by, null],
      ['export.downloaded', requested_by, 'link'],
      ['export.downloaded', requested_by, 'credential'],
    ]);
    expect(custody.slice(1).map(({ data }) => data?.sha256)).toEqual([sha256, sha256, sha256]);
    const [request] = custody;
    expect(jsonOf(bundle, 'custody.json')).toMatchObject({
      export_id,
      requested: { activity_seq: request?.seq, at: request?.created_at, by: requested_by },
      sealed: { key_fingerprint: await fingerprintOf(client) },
    });
    expect((await client.get('/exports/exp_00000000000000000000000009/custody')).status).toBe(404);
  });

  it('No answer about the file of an export is unrecorded', async () => {
    await decide(client);
    const { id } = await bundleOf(bed, client, ALWAYS);
    const { download_url = '' } = await readExport(client, id);
    const { pathname, search } = new URL(download_url, 'http://ledger');
    const answer = await bed.http.inject({ method: 'HEAD', url: `${pathname}${search}` });
    expect(answer.statusCode).toBe(405);
    expect(await custodyOf(id)).toHaveLength(3);
  });

  it('Later bundles disclose who requested and downloaded earlier ones', async () => {
    const { id } = await bundleOf(bed, client, ALWAYS);
    const next = await bundleOf(bed, client, ALWAYS);
    const lines = textOf(next, 'activity.ndjson').split('\n');
    const shown = lines.filter((_line, at) => lines[at - 1]?.includes(`"subject":"${id}"`));
    expect(shown.map((line) => line.startsWith('[')).filter(Boolean)).toHaveLength(3);
    expect((await check(next)).verdicts.integrity.verdict).toBe('pass');
  });

  it.for(['forensic', 'compliance', 'insurance'])(
    'The certificate of a %s bundle names its keys and checkpoints, and leaves the rest to a person',
    async (export_type) => {
      const bundle = await bundleOf(bed, client, { ...ALWAYS, export_type });
      const certificate = textOf(bundle, 'CERTIFICATE.md');
      for (const chain of ['decisions', 'activity']) {
        expect(certificate).toContain(textOf(bundle, `${chain}.checkpoint`).trimEnd());
      }
      expect(certificate).toContain(await fingerprintOf(client));
      expect(certificate).toContain('I declare under penalty of perjury');
      for (const rule of ['902(11)', '902(13)', '902(14)', '28 U.S.C. § 1746']) {
        expect(certificate).toContain(rule);
      }
      expect(certificate).not.toMatch(/qualified/i);
      expect((await check(bundle)).verdicts.integrity.verdict).toBe('pass');
    },
  );

  it('A compliance bundle says since when records are kept, and how many erasures are recorded', async () => {
    const own = (await bed.organisation()).live;
    const first = await decide(own, FULL);
    await decide(own, FULL);
    await erase(own, first.decision_id, 'inputs');
    const bundle = await bundleOf(bed, own, { ...ALWAYS, export_type: 'compliance' });
    expect(jsonOf(bundle, 'completeness.json')).toMatchObject({
      retention: {
        oldest_record: first.created_at,
        days_since_oldest_record: 0,
        recorded_erasures: 1,
        requirement: expect.stringContaining('at least six months'),
      },
    });
  });
});
