import { type FetchRequest, Ledger } from '@decision-ledger/client';
import { expect, it } from 'vitest';
import { manualTime } from './support/manual-time.js';

const CHUNK = 4;

/** A service that keeps what is uploaded, and whose connection breaks at some requests. */
function uploading(breaks: (at: number, method: string) => 'before' | 'after' | null) {
  const kept: number[] = [];
  const methods: string[] = [];
  let size = 0;
  const answer = () => ({
    ...{ upload_id: 'upl_1', size, offset: kept.length, chunk_bytes: CHUNK },
    is_complete: kept.length === size,
  });
  const respond = (status: number, body: object) => ({
    ...{ status, headers: { get: () => null } },
    text: () => Promise.resolve(JSON.stringify(body)),
    arrayBuffer: () => Promise.resolve(new ArrayBuffer(0)),
  });
  const handle = (url: string, { method, body }: FetchRequest) => {
    if (method === 'POST') size = Number(Reflect.get(JSON.parse(String(body)), 'size'));
    if (method !== 'PATCH') return respond(200, { data: answer() });
    if (Number(new URL(url).searchParams.get('offset')) !== kept.length) {
      return respond(409, { error: { code: 'conflict', message: 'elsewhere' } });
    }
    if (typeof body === 'object') kept.push(...body);
    return respond(200, { data: answer() });
  };
  const time = manualTime();
  const ledger = new Ledger({
    ...{ url: 'https://ledger.example.com', key: 'lg_test_1' },
    ...{ timers: time.timers, now: time.now, random: () => 0.5 },
    async fetch(url, request) {
      methods.push(request.method);
      const broken = breaks(methods.length - 1, request.method);
      if (broken === 'before') throw new TypeError('the connection was lost');
      const response = handle(url, request);
      if (broken === 'after') throw new TypeError('the answer was lost');
      return response;
    },
  });
  return { ledger, time, kept, methods };
}

const BYTES = Uint8Array.from({ length: 11 }, (_, at) => at);

it('All bytes are sent, a chunk at a time', async () => {
  const { ledger, time, kept, methods } = uploading(() => null);
  const sent = ledger.uploads.send(BYTES, 'application/octet-stream');
  await time.until(sent);
  expect(await sent).toEqual({ $upload: 'upl_1' });
  expect(kept).toEqual([...BYTES]);
  expect(methods).toEqual(['POST', 'PATCH', 'PATCH', 'PATCH']);
});

it.each(['before', 'after'] as const)(
  'An interruption %s a chunk arrives loses and repeats nothing',
  async (when) => {
    const { ledger, time, kept, methods } = uploading((at) => (at === 2 ? when : null));
    const sent = ledger.uploads.send(BYTES, 'application/octet-stream');
    await time.until(sent);
    expect(await sent).toEqual({ $upload: 'upl_1' });
    expect(kept).toEqual([...BYTES]);
    expect(methods.filter((method) => method === 'GET')).toHaveLength(1);
  },
);

it('A service that stays away ends it with the error', async () => {
  const { ledger, time } = uploading((at) => (at > 1 ? 'before' : null));
  const sent = ledger.uploads
    .send(BYTES, 'application/octet-stream')
    .catch((error: unknown) => error);
  await time.until(sent);
  expect(String(await sent)).toContain('the connection was lost');
});
