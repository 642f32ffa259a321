import { randomBytes } from 'node:crypto';
import { Ledger } from '@decision-ledger/client';
import { expect, it } from 'vitest';
import { openTestService } from '../../server/test/support/service.js';
import { decision } from './support/decisions.js';

const METHODS = { GET: 'GET', POST: 'POST', PATCH: 'PATCH' } as const;
const isKnown = (method: string): method is keyof typeof METHODS => method in METHODS;

it('A service gives back the bytes that a decision stands for, although answers were lost', async () => {
  const bed = await openTestService('embedded');
  const { key } = (await bed.organisation()).live;
  let chunks = 0;
  const ledger = new Ledger({
    ...{ url: 'http://ledger.test', key },
    async fetch(url, { method, headers, body }) {
      if (!isKnown(method)) throw new TypeError(method);
      const payload = typeof body === 'object' ? Buffer.from(body) : body;
      const answer = await bed.http.inject({
        ...{ url: url.slice('http://ledger.test'.length), method, headers },
        ...(payload !== undefined && { payload }),
      });
      if (method === 'PATCH') chunks += 1;
      if (method === 'PATCH' && chunks === 2) throw new TypeError('the answer was lost');
      return {
        status: answer.statusCode,
        headers: { get: (name) => String(answer.headers[name] ?? '') || null },
        text: () => Promise.resolve(answer.body),
        arrayBuffer: () => Promise.resolve(new Uint8Array(answer.rawPayload).buffer),
      };
    },
  });
  const bytes = randomBytes(3.5 * 1024 * 1024);
  const outputs = await ledger.uploads.send(bytes, 'application/octet-stream');
  const { decision_id } = await ledger.recordNow({ ...decision(), outputs });
  expect(Buffer.from(await ledger.uploads.read(decision_id, 'outputs')).equals(bytes)).toBe(true);
  expect(chunks).toBe(4);
  await bed.close();
});
