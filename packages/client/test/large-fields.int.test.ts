import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../server/test/support/client.js';
import { rowsOf } from '../../server/test/support/erasures.js';
import { openTestService, scopeOf, type TestService } from '../../server/test/support/service.js';
import { uploadRows } from '../../server/test/support/uploads.js';
import { decision } from './support/decisions.js';
import { injected } from './support/injected.js';

const MIB = 1024 * 1024;
const DAY_MS = 86_400_000;
const quiet = { onError: () => undefined };
let bed: TestService;
let live: Client;
let outbox: string;

beforeAll(async () => {
  bed = await openTestService('embedded');
  // The client stamps decisions with the time of this machine.
  bed.clock.advance(Date.now() - bed.clock.now());
});
afterAll(() => bed.close());
beforeEach(async () => {
  outbox = mkdtempSync(join(tmpdir(), 'ledger-large-'));
  live = (await bed.organisation()).live;
});
afterEach(() => rmSync(outbox, { recursive: true, force: true }));

/** Each line differs, so that a chunk in the wrong place is seen. */
const textOf = (bytes: number) =>
  Array.from({ length: Math.ceil(bytes / 64) }, (_, at) => `line ${at} `.padEnd(64, 'x'))
    .join('')
    .slice(0, bytes);

async function onlyDecision(ledger: ReturnType<typeof injected>) {
  const decisions = [];
  for await (const found of ledger.decisions.list()) decisions.push(found);
  expect(decisions).toHaveLength(1);
  const [one] = decisions;
  if (one === undefined) throw new Error('nothing was recorded');
  return one;
}

/** Whether an upload of the only decision is the JSON of a value, byte for byte. */
async function isStored(
  ledger: ReturnType<typeof injected>,
  field: 'inputs' | 'outputs',
  value: object,
): Promise<boolean> {
  const { decision_id } = await onlyDecision(ledger);
  const bytes = await ledger.uploads.read(decision_id, field);
  return Buffer.from(JSON.stringify(value)).equals(bytes);
}

describe('A result of 20 MB', () => {
  it('It is read back byte for byte, and its erasure leaves nothing of it', async () => {
    const ledger = injected(bed, live.key, { outbox });
    const outputs = { order: 'A-1041', text: textOf(20 * MIB) };
    ledger.record({ ...decision(), outputs });
    expect(await ledger.flush()).toMatchObject({ accepted: 1 });
    expect(await isStored(ledger, 'outputs', outputs)).toBe(true);
    const { decision_id, outputs: recorded } = await onlyDecision(ledger);
    const $upload = { media_type: 'application/json' };
    expect(recorded).toMatchObject({ order: 'A-1041', $upload });
    await ledger.decisions.erase(decision_id, { fields: ['outputs'], reason: 'a request' });
    await expect(ledger.uploads.read(decision_id, 'outputs')).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await uploadRows(bed, live)).toEqual({ uploads: 0, chunks: 0 });
    expect(await rowsOf(bed, await scopeOf(bed, live))).not.toContain('line 1 ');
    await ledger.close();
  });

  it('A call that waits for its receipt uploads it, and its repeat has the same receipt', async () => {
    const ledger = injected(bed, live.key);
    const inputs = { text: textOf(20 * MIB) };
    const own = { idempotency_key: 'assess-1', timestamp: new Date().toISOString() };
    const given = { ...decision(), inputs, ...own };
    const receipt = await ledger.recordNow(given);
    expect(await isStored(ledger, 'inputs', inputs)).toBe(true);
    expect(await ledger.recordNow(given)).toMatchObject({ hash: receipt.hash });
    await onlyDecision(ledger);
    expect(await uploadRows(bed, live)).toMatchObject({ uploads: 1 });
    await ledger.close();
  });
});

describe('An outage', () => {
  it('In the middle of an upload, it loses and repeats nothing, also if the process ends', async () => {
    const given = { ...decision(), inputs: { text: textOf(20 * MIB) } };
    let chunks = 0;
    const dying = injected(bed, live.key, { outbox, ...quiet }, (method) => {
      if (method === 'PATCH') chunks += 1;
      return method === 'PATCH' && chunks > 5 ? 'after' : null;
    });
    dying.record(given);
    await expect.poll(() => chunks).toBeGreaterThan(5);
    expect(await dying.close({ timeoutMs: 1 })).toMatchObject({ accepted: 0, pending: 1 });
    let sent = 0;
    const next = injected(bed, live.key, { outbox }, (method) => {
      if (method === 'PATCH') sent += 1;
      return null;
    });
    expect(await next.flush()).toMatchObject({ accepted: 1 });
    expect(await isStored(next, 'inputs', given.inputs)).toBe(true);
    // The first of 21 chunks is tried again; six have arrived, although an answer was lost.
    expect(sent).toBeLessThanOrEqual(1 + 21 - 6);
    await next.close();
  });

  it('A lost answer to the decision makes it a repeat, also if the process ends', async () => {
    const inputs = { text: textOf(MIB) };
    let posts = 0;
    const dying = injected(bed, live.key, { outbox, ...quiet }, (method) => {
      if (method === 'POST') posts += 1;
      return method === 'POST' && posts > 1 ? 'after' : null;
    });
    dying.record({ ...decision(), inputs });
    await expect.poll(() => posts).toBeGreaterThan(2);
    await dying.close({ timeoutMs: 1 });
    const next = injected(bed, live.key, { outbox });
    expect(await next.flush()).toMatchObject({ accepted: 1, failed: 0 });
    expect(next.stats()).toMatchObject({ replayed: 1 });
    expect(await isStored(next, 'inputs', inputs)).toBe(true);
    expect(await uploadRows(bed, live)).toMatchObject({ uploads: 1 });
    await next.close();
  });

  it('What has expired before its decision came is uploaded again, and recorded once', async () => {
    const outputs = { text: textOf(MIB) };
    let posts = 0;
    const ledger = injected(bed, live.key, { ...quiet }, (method) => {
      if (method === 'POST') posts += 1;
      if (method !== 'POST' || posts !== 2) return null;
      bed.clock.advance(DAY_MS + 1);
      return 'before';
    });
    ledger.record({ ...decision(), outputs });
    expect(await ledger.flush()).toMatchObject({ accepted: 1, failed: 0 });
    expect(ledger.stats()).toMatchObject({ replayed: 0 });
    expect(await isStored(ledger, 'outputs', outputs)).toBe(true);
    await ledger.close();
  });
});

describe('What is too large even for an upload', () => {
  it('Its digest, its size and its head are recorded, and marked', async () => {
    await live.patch('/settings', { recording: { max_upload_bytes: 262_144 } });
    const ledger = injected(bed, live.key, { mask: { paths: ['inputs.card'] } });
    const inputs = { card: '4111', text: 'é'.repeat(200_000), odd: 2n ** 64n };
    const metadata = { note: 'y'.repeat(300_000), order: 'A-1' };
    ledger.record({ ...decision(), inputs, metadata });
    await ledger.flush();
    const found = await onlyDecision(ledger);
    expect(found.inputs).toEqual({
      ...{ $degraded: 'too_large', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      ...{
        size: expect.any(Number),
        head: expect.stringMatching(/^\{"card":"\[masked\]","text":"é+$/),
      },
    });
    expect(found.metadata).toMatchObject({
      order: 'A-1',
      note: { $degraded: 'too_large', size: 300_002 },
      degraded: ['/inputs', '/inputs/odd', '/metadata/note'],
    });
    await ledger.close();
  });

  it('So is what no ledger holds', async () => {
    const ledger = injected(bed, live.key, { maxQueuedBytes: 256 * MIB });
    const text = '😀'.repeat(17 * MIB);
    ledger.record({ ...decision(), outputs: { text } });
    await ledger.flush();
    expect((await onlyDecision(ledger)).outputs).toMatchObject({
      $degraded: 'too_large',
      size: 68 * MIB + '{"text":""}'.length,
    });
    await ledger.close();
  });
});
