import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Observer } from '@decision-ledger/mcp/proxy/observer';
import { ToolRules } from '@decision-ledger/mcp/proxy/tool-rules';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestService, type TestService } from '../../server/test/support/service.js';
import { decision } from './support/decisions.js';
import { injected } from './support/injected.js';

const MIB = 1024 * 1024;
let bed: TestService;
let outbox: string;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
afterAll(() => bed.close());
beforeEach(() => {
  outbox = mkdtempSync(join(tmpdir(), 'ledger-large-'));
});
afterEach(() => rmSync(outbox, { recursive: true, force: true }));

const newKey = async () => (await bed.organisation()).live.key;
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

const storedText = async (
  ledger: ReturnType<typeof injected>,
  id: string,
  field: 'inputs' | 'outputs',
) => Buffer.from(await ledger.uploads.read(id, field)).toString();

describe('A result of 20 MB', () => {
  it('It is read back byte for byte, and erased with its bytes', async () => {
    const ledger = injected(bed, await newKey(), { outbox });
    const outputs = { order: 'A-1041', text: textOf(20 * MIB) };
    ledger.record({ ...decision(), outputs });
    expect(await ledger.flush()).toMatchObject({ accepted: 1 });
    const { decision_id, outputs: recorded } = await onlyDecision(ledger);
    expect(recorded).toMatchObject({
      order: 'A-1041',
      $upload: { media_type: 'application/json' },
    });
    expect((await storedText(ledger, decision_id, 'outputs')) === JSON.stringify(outputs)).toBe(
      true,
    );
    await ledger.decisions.erase(decision_id, { fields: ['outputs'], reason: 'a request' });
    await expect(ledger.uploads.read(decision_id, 'outputs')).rejects.toMatchObject({
      code: 'not_found',
    });
    await ledger.close();
  });

  it('It passes the proxy of MCP', async () => {
    const ledger = injected(bed, await newKey(), { outbox });
    const observer = new Observer({
      agentId: 'desk',
      rules: new ToolRules({ '*': { confidence: ['fixed:0.5'] } }),
      now: () => 1,
      record: (made) => ledger.record(made),
      warn: (text) => expect(text).toBe(''),
    });
    const result = { content: [{ type: 'text', text: textOf(20 * MIB) }] };
    observer.sent('{"id":1,"method":"tools/call","params":{"name":"read"}}');
    observer.received(JSON.stringify({ id: 1, result }));
    await ledger.flush();
    const { decision_id } = await onlyDecision(ledger);
    expect((await storedText(ledger, decision_id, 'outputs')) === JSON.stringify(result)).toBe(
      true,
    );
    await ledger.close();
  });
});

describe('An outage', () => {
  it('In the middle of an upload, it loses and repeats nothing, also if the process ends', async () => {
    const key = await newKey();
    const given = { ...decision(), inputs: { text: textOf(3.5 * MIB) } };
    let chunks = 0;
    const dying = injected(bed, key, { outbox, onError: () => undefined }, (method) => {
      if (method === 'PATCH') chunks += 1;
      return method === 'PATCH' && chunks >= 2;
    });
    dying.record(given);
    await dying.close({ timeoutMs: 1500 });
    const sent: string[] = [];
    const next = injected(bed, key, { outbox }, (method) => {
      sent.push(method);
      return false;
    });
    await next.flush();
    const { decision_id } = await onlyDecision(next);
    expect(await storedText(next, decision_id, 'inputs')).toBe(JSON.stringify(given.inputs));
    // The first chunk of four is tried again; the second has arrived, although its answer was lost.
    expect(sent.filter((method) => method === 'PATCH').length).toBeLessThanOrEqual(3);
    await next.close();
  });

  it('A lost answer to the decision itself makes it a repeat', async () => {
    let posts = 0;
    const ledger = injected(bed, await newKey(), { onError: () => undefined }, (method) => {
      posts += method === 'POST' ? 1 : 0;
      return method === 'POST' && posts === 2;
    });
    ledger.record({ ...decision(), inputs: { text: textOf(MIB) } });
    expect(await ledger.flush()).toMatchObject({ accepted: 1 });
    expect(ledger.stats().replayed).toBe(1);
    await onlyDecision(ledger);
    await ledger.close();
  });
});

describe('What is too large even for an upload', () => {
  it('Its digest, its size and its head are recorded, and marked', async () => {
    const { live } = await bed.organisation();
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
});
