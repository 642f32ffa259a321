import { DecisionBatchReceipt, DecisionReceipt } from '@decision-ledger/contract/decision';
import { LIMITS } from '@decision-ledger/contract/limits';
import { Upload } from '@decision-ledger/contract/upload';
import { uploadIn } from '@decision-ledger/proof/upload';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runExport } from '#server/domains/evidence/exports/run';
import { expireUploads } from '#server/domains/record/uploads/index';
import { type Client, dataOf, decision, expectRefusal } from '../../support/client.js';
import { erase, read, verify } from '../../support/erasures.js';
import {
  askFor,
  bundleOf,
  CONSISTENT,
  check,
  readExport,
  runTools,
  verdictsOf,
} from '../../support/exports.js';
import { type Engine, openTestService, scopeOf, type TestService } from '../../support/service.js';
import { withOwner } from '../../support/stored-jobs.js';
import { at, openDesk } from '../../support/suggestions-desk.js';
import {
  createUpload,
  sendChunk,
  sha256,
  toolResult,
  upload,
  uploadRows,
} from '../../support/uploads.js';

const MIB = 1024 * 1024;
const SMALL = toolResult(300 * 1024);

let bed: TestService;
let client: Client;

export function uploadsSuite(engine: Engine): void {
  describe(`Uploads on ${engine}`, () => {
    beforeAll(async () => {
      bed = await openTestService(engine);
    });
    beforeEach(async () => {
      client = (await bed.organisation()).live;
    });
    afterAll(() => bed.close());

    describe('Sending', sending);
    describe('Recording', recording);
    describe('Reading', reading);
    describe('Verifying', verifying);
    describe('Erasing', erasing);
    describe('Exporting', exporting);
    describe('Limits', limits);
  });
}

const named = (id: string, fields = {}) => decision({ outputs: { $upload: id }, ...fields });

async function record(id: string, headers = {}) {
  return dataOf(await client.post('/decisions', named(id), headers), DecisionReceipt, 201);
}

function sending(): void {
  it('An upload that was interrupted continues where its bytes end', async () => {
    const bytes = toolResult(2.5 * MIB);
    const { upload_id } = await createUpload(client, bytes);
    await sendChunk(client, upload_id, bytes, 0);
    const { offset, is_complete } = dataOf(await client.get(`/uploads/${upload_id}`), Upload);
    expect({ offset, is_complete }).toEqual({ offset: MIB, is_complete: false });
    await sendChunk(client, upload_id, bytes, offset);
    const last = dataOf(await sendChunk(client, upload_id, bytes, 2 * MIB), Upload);
    expect(last).toMatchObject({ offset: bytes.length, is_complete: true });
  });

  it('A chunk that begins elsewhere than the next one, or is not whole, changes nothing', async () => {
    const bytes = toolResult(2.5 * MIB);
    const { upload_id } = await createUpload(client, bytes);
    await sendChunk(client, upload_id, bytes, 0);
    expectRefusal(await sendChunk(client, upload_id, bytes, 0), 'conflict');
    expectRefusal(await sendChunk(client, upload_id, bytes, 2 * MIB), 'conflict');
    const half = await client.patch(`/uploads/${upload_id}?offset=${MIB}`, bytes.subarray(0, 9), {
      'content-type': 'application/octet-stream',
    });
    expectRefusal(half, 'validation_error', 'body');
    expect(dataOf(await client.get(`/uploads/${upload_id}`), Upload).offset).toBe(MIB);
  });

  it('Bytes without their digest are refused with the last chunk', async () => {
    const { upload_id } = await createUpload(client, SMALL);
    const other = Buffer.from(SMALL);
    other.writeUInt8(other.readUInt8(99) ^ 1, 99);
    expectRefusal(await sendChunk(client, upload_id, other, 0), 'validation_error', 'sha256');
    expect((await sendChunk(client, upload_id, SMALL, 0)).status).toBe(200);
  });

  it('Two requests at the same time append a chunk once', async () => {
    const bytes = toolResult(1.5 * MIB);
    const { upload_id } = await createUpload(client, bytes);
    const answers = await Promise.all([
      sendChunk(client, upload_id, bytes, 0),
      sendChunk(client, upload_id, bytes, 0),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('Other ledgers neither see an upload nor take it', async () => {
    const id = await upload(client, SMALL);
    const other = (await bed.organisation()).live;
    expectRefusal(await other.get(`/uploads/${id}`), 'not_found');
    expectRefusal(await sendChunk(other, id, SMALL, 0), 'not_found');
    expectRefusal(await other.post('/decisions', named(id)), 'validation_error', 'outputs');
    await record(id);
  });
}

function recording(): void {
  it('A decision shows the digest, the size and the head, and the short values at their places', async () => {
    const { decision_id } = await record(await upload(client, SMALL));
    const { outputs } = await read(client, decision_id);
    expect(uploadIn(outputs)).toMatchObject({
      ...{ sha256: sha256(SMALL), size: SMALL.length, media_type: 'application/json' },
    });
    const head = uploadIn(outputs)?.head ?? '';
    expect(SMALL.toString('utf8').startsWith(head)).toBe(true);
    expect(Buffer.byteLength(head)).toBeGreaterThan(LIMITS.uploadHeadBytes - 4);
    expect(outputs).toMatchObject({ order_id: 'ORD-77120', amount: 812.5, currency: 'USD' });
    expect(await verify(client)).toMatchObject({ is_valid: true, records_checked: 1 });
  });

  it('The amount that stands last is what the decision may cost', async () => {
    const plain = decision({ outputs: { amount: 812.5, currency: 'USD' } });
    const expected = dataOf(await client.post('/decisions', plain), DecisionReceipt, 201);
    const { liability } = await record(await upload(client, SMALL));
    expect(liability?.parts.amount_at_risk).toBe(expected.liability?.parts.amount_at_risk);
    expect(liability?.parts.amount_at_risk).toMatch(/^812\.5/);
  });

  it('The event of an order that stands last is attributed to the decision, and none to its digest', async () => {
    const desk = await openDesk(bed, client);
    const body = named(await upload(client, SMALL), { timestamp: at(0) });
    const { decision_id } = dataOf(await client.post('/decisions', body), DecisionReceipt, 201);
    const metadata = { order_id: 'ORD-77120' };
    const id = await desk.happen({ event_type: 'refund', amount: '812.50', metadata });
    await desk.happen({ amount: `${SMALL.length}.00`, external_id: sha256(SMALL) });
    await desk.look();
    const links = await desk.links();
    expect(links.map((one) => [one.decision_id, one.financial_event_id])).toEqual([
      [decision_id, id],
    ]);
  });

  it('A decision takes an upload once, and a repeat gets the first answer', async () => {
    const id = await upload(client, SMALL);
    const key = { 'idempotency-key': 'one' };
    const first = await record(id, key);
    expect(await record(id, key)).toEqual(first);
    expectRefusal(await client.post('/decisions', named(id)), 'conflict', 'outputs');
    const both = decision({ inputs: { $upload: id }, outputs: { $upload: id } });
    expectRefusal(await client.post('/decisions', both), 'conflict', 'inputs', 'outputs');
  });

  it('Of decisions at the same time, one takes the upload', async () => {
    const id = await upload(client, SMALL);
    const answers = await Promise.all([1, 2, 3].map(() => client.post('/decisions', named(id))));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  it('A batch is refused as a whole for an upload that is taken, a lenient one for that decision', async () => {
    const [taken, open] = [await upload(client, SMALL), await upload(client, SMALL)];
    await record(taken);
    const decisions = [decision(), named(taken), named(open)];
    const strict = await client.post('/decisions/batch', { decisions });
    expectRefusal(strict, 'conflict', 'decisions[1].outputs');
    const lenient = await client.post(
      '/decisions/batch',
      { decisions: [...decisions, named('upl_01h455vb4pex5vsknk084sn02q')] },
      { prefer: 'handling=lenient' },
    );
    const { decisions: receipts, refused } = dataOf(lenient, DecisionBatchReceipt, 201);
    expect(receipts).toHaveLength(2);
    expect(refused?.map(({ index, error }) => [index, error.code])).toEqual([
      [1, 'conflict'],
      [3, 'validation_error'],
    ]);
  });

  it('What an upload says of itself cannot be recorded without one', async () => {
    const forged = { sha256: sha256(SMALL), size: SMALL.length, media_type: 'application/json' };
    const incomplete = (await createUpload(client, SMALL)).upload_id;
    for (const $upload of [forged, 'text', 7, incomplete]) {
      const answer = await client.post('/decisions', decision({ inputs: { $upload } }));
      expectRefusal(answer, 'validation_error', 'inputs');
    }
    const beside = { $upload: await upload(client, SMALL), order: 1 };
    const answer = await client.post('/decisions', decision({ inputs: beside }));
    expectRefusal(answer, 'validation_error', 'inputs');
  });
}

async function download(id: string, headers = {}) {
  return client.get(`/decisions/${id}/uploads/outputs`, headers);
}

function reading(): void {
  it('A tool result of 20 MB is read back byte for byte', async () => {
    const bytes = toolResult(20 * MIB);
    const { decision_id } = await record(await upload(client, bytes));
    const answer = await download(decision_id);
    expect(answer.header('content-length')).toBe(String(bytes.length));
    expect(sha256(Buffer.from(answer.text))).toBe(sha256(bytes));
    expect(await verify(client)).toMatchObject({ is_valid: true });
  }, 120_000);

  it('A range of the bytes is read across chunks', async () => {
    const bytes = Buffer.alloc(2.5 * MIB, 'abcdefghij');
    const { decision_id } = await record(await upload(client, bytes, 'text/plain'));
    const range = async (header: string) => {
      const { status, text, header: of } = await download(decision_id, { range: header });
      return { status, text, range: of('content-range') };
    };
    const [start, end] = [MIB - 5, MIB + 6];
    expect(await range(`bytes=${start}-${end - 1}`)).toEqual({
      ...{ status: 206, text: bytes.toString('utf8', start, end) },
      range: `bytes ${start}-${end - 1}/${bytes.length}`,
    });
    expect(await range('bytes=-7')).toMatchObject({
      status: 206,
      text: bytes.toString().slice(-7),
    });
    expect((await range(`bytes=${bytes.length}-`)).status).toBe(200);
  });

  it('Other ledgers, and fields that hold their value, have nothing to download', async () => {
    const { decision_id } = await record(await upload(client, SMALL));
    const other = (await bed.organisation()).live;
    const path = `/decisions/${decision_id}/uploads`;
    expectRefusal(await other.get(`${path}/outputs`), 'not_found');
    expectRefusal(await client.get(`${path}/inputs`), 'not_found');
  });

  it('Bytes that were moved or altered in the database are not sent', async () => {
    const bytes = Buffer.alloc(2 * MIB, 'x');
    const { decision_id } = await record(await upload(client, bytes, 'text/plain'));
    const { ledgerId } = await scopeOf(bed, client);
    await withOwner(bed, (owner) =>
      owner.query(
        `update upload_chunks c set bytes = o.bytes from upload_chunks o
          where c.ledger_id = $1 and o.ledger_id = $1 and c.start = $2 and o.start = 0`,
        [ledgerId, MIB],
      ),
    );
    await expect(download(decision_id)).rejects.toThrow();
  });
}

const tamper = (text: string) =>
  withOwner(bed, async (owner) => owner.query(text, [(await scopeOf(bed, client)).ledgerId]));

function verifying(): void {
  it.each([
    ['lost', 'delete from uploads where ledger_id = $1', null],
    ['cut', 'delete from upload_chunks where ledger_id = $1 and start > 0', null],
    [
      'given to another field',
      "update uploads set field = 'inputs' where ledger_id = $1 and field = 'outputs'",
      null,
    ],
    [
      'exchanged',
      "update uploads set sha256 = sha256('x') where ledger_id = $1",
      sha256(Buffer.from('x')),
    ],
  ])('Verification finds an upload that was %s', async (_, change, actual) => {
    const bytes = toolResult(1.5 * MIB);
    const { decision_id } = await record(await upload(client, bytes));
    await tamper(change);
    expect(await verify(client)).toMatchObject({
      is_valid: false,
      first_broken_link: {
        ...{ seq: 1, decision_id, kind: 'commitment', detail: 'outputs' },
        ...{ expected: sha256(bytes), actual },
      },
    });
  });
}

function erasing(): void {
  it('An erasure destroys the key and all chunks of its fields, and of no other', async () => {
    const [first, second] = [await upload(client, SMALL), await upload(client, SMALL)];
    const body = decision({ inputs: { $upload: first }, outputs: { $upload: second } });
    const { decision_id } = dataOf(await client.post('/decisions', body), DecisionReceipt, 201);
    await erase(client, decision_id, 'inputs');
    expectRefusal(await client.get(`/decisions/${decision_id}/uploads/inputs`), 'not_found');
    expect((await download(decision_id)).text).toBe(SMALL.toString());
    expect(await uploadRows(bed, client)).toEqual({ uploads: 1, chunks: 1 });
    await erase(client, decision_id, 'outputs');
    expect(await uploadRows(bed, client)).toEqual({ uploads: 0, chunks: 0 });
    expect(await verify(client)).toMatchObject({ is_valid: true, erased_fields: 2 });
  });
}

function exporting(): void {
  const PAYLOAD_TYPES = ['forensic', 'compliance'] as const;

  it.each(PAYLOAD_TYPES)(
    'A %s bundle has what its decisions stand for, and verifies',
    async (export_type) => {
      const large = toolResult(2.5 * MIB);
      const first = await record(await upload(client, large));
      await record(await upload(client, SMALL));
      await client.post('/decisions', decision());
      const bundle = await bundleOf(bed, client, { export_type });
      const { files } = bundle;
      expect(files.get(`${first.decision_id}.outputs`)?.equals(large)).toBe(true);
      expect([...files.keys()].filter((name) => name.startsWith('dec_'))).toHaveLength(2);
      expect(verdictsOf(await check(bundle))).toMatchObject(CONSISTENT);
    },
  );

  it('A bundle of other decisions, and one without payloads, has none', async () => {
    await client.patch('/settings', { rate_limits: { exports_per_hour: 9 } });
    await record(await upload(client, SMALL));
    await client.post('/decisions', decision({ agent_id: 'other' }));
    for (const fields of [
      { filter: { agent_id: 'other' } },
      { export_type: 'insurance' },
      { export_type: 'statement', agent_id: 'agent' },
    ]) {
      const bundle = await bundleOf(bed, client, fields);
      expect([...bundle.files.keys()].filter((name) => name.startsWith('dec_'))).toEqual([]);
      expect((await check(bundle)).verdicts.integrity.verdict).toBe('pass');
    }
  });

  it('A bundle without an upload that was lost says so', async () => {
    const { decision_id } = await record(await upload(client, SMALL));
    await tamper('delete from uploads where ledger_id = $1');
    const { integrity } = (await check(await bundleOf(bed, client))).verdicts;
    expect(integrity.findings).toContainEqual(
      expect.objectContaining({ code: 'upload_differs', id: decision_id }),
    );
  });

  it('An export fails if the bytes of an upload were altered', async () => {
    await record(await upload(client, SMALL));
    await tamper(`update upload_chunks set bytes = set_byte(bytes, 99, 255 - get_byte(bytes, 99))
      where ledger_id = $1`);
    const { export_id } = await askFor(client);
    const { tools } = runTools(bed);
    const ledger = bed.service.db.ledger(await scopeOf(bed, client));
    await runExport(ledger, tools, export_id, new AbortController().signal);
    const { status, reason } = await readExport(client, export_id);
    expect([status, reason]).toEqual(['failed', expect.stringContaining('cannot be read')]);
  });
}

function limits(): void {
  it('An upload that no decision takes is deleted after a day, and a taken one stays', async () => {
    const kept = await record(await upload(client, SMALL));
    const open = await upload(client, SMALL);
    const { db, installation, clock } = bed.service;
    const later = { now: () => clock.now() + LIMITS.uploadHours * 3_600_000 };
    await expireUploads({ db, installation, clock: { ...clock, ...later } });
    expectRefusal(await client.get(`/uploads/${open}`), 'not_found');
    expect((await download(kept.decision_id)).text).toBe(SMALL.toString());
  });

  it('What waits for decisions is limited, and what they took is not', async () => {
    const body = { size: LIMITS.uploadBytes, sha256: sha256(SMALL), media_type: 'text/plain' };
    await record(await upload(client, SMALL));
    const most = LIMITS.openUploadBytes / LIMITS.uploadBytes;
    for (let n = 0; n < most; n += 1) {
      dataOf(await client.post('/uploads', body), Upload, 201);
    }
    expectRefusal(await client.post('/uploads', { ...body, size: 1 }), 'unavailable');
  });

  it('The settings limit the size of an upload', async () => {
    const recording = { max_upload_bytes: 300_000 };
    expect((await client.patch('/settings', { recording })).status).toBe(200);
    const body = { size: 300_001, sha256: sha256(SMALL), media_type: 'text/plain' };
    await expect
      .poll(async () => (await client.post('/uploads', body)).status, { timeout: 5000 })
      .toBe(413);
  });
}
