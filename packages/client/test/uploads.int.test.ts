import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { openTestService } from '../../server/test/support/service.js';
import { decision } from './support/decisions.js';
import { injected } from './support/injected.js';

it('A service gives back the bytes that a decision stands for, although answers were lost', async () => {
  const bed = await openTestService('embedded');
  const { key } = (await bed.organisation()).live;
  let chunks = 0;
  const ledger = injected(bed, key, {}, (method) => {
    if (method === 'PATCH') chunks += 1;
    return method === 'PATCH' && chunks === 2 ? 'after' : null;
  });
  const bytes = randomBytes(3.5 * 1024 * 1024);
  const outputs = await ledger.uploads.send(bytes, 'application/octet-stream');
  const { decision_id } = await ledger.recordNow({ ...decision(), outputs });
  expect(Buffer.from(await ledger.uploads.read(decision_id, 'outputs')).equals(bytes)).toBe(true);
  expect(chunks).toBe(4);
  await bed.close();
});
