import {
  DecisionsLostError,
  type FetchRequest,
  Ledger,
  LedgerApiError,
  type LedgerOptions,
  type LedgerProblem,
} from '@decision-ledger/client';
import { TestService } from '@decision-ledger/client/testing';
import { describe, expect, it } from 'vitest';
import { decision } from './support/decisions.js';
import { type ManualTime, manualTime, settle } from './support/manual-time.js';

interface Setup {
  readonly ledger: Ledger;
  readonly service: TestService;
  readonly time: ManualTime;
  readonly problems: LedgerProblem[];
  /** The number of decisions in each batch that was sent. */
  readonly batches: number[];
}

const BATCH = '{"decisions":[';

function setup(options: Partial<LedgerOptions> = {}): Setup {
  const time = manualTime();
  const service = new TestService(time.now);
  const problems: LedgerProblem[] = [];
  const batches: number[] = [];
  const ledger = new Ledger({
    url: 'https://ledger.example.com/base/',
    key: 'lg_test_secret',
    fetch(url, request) {
      if (url.endsWith('/batch')) batches.push(sizeOf(request));
      return service.fetch(url, request);
    },
    ...{ timers: time.timers, now: time.now, random: () => 0.5 },
    onError: (problem) => problems.push(problem),
    ...options,
  });
  return { ledger, service, time, problems, batches };
}

function sizeOf({ body = BATCH }: FetchRequest): number {
  const { decisions }: { decisions: unknown[] } = JSON.parse(String(body));
  return decisions.length;
}

const order = ({ service }: Setup) => service.recorded.map(({ inputs }) => inputs.n);
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('Batches', () => {
  it('A decision is sent within a second, together with those recorded in that time', async () => {
    const all = setup();
    all.ledger.record(decision(1));
    await all.time.advance(600);
    all.ledger.record(decision(2));
    await all.time.advance(399);
    expect(all.service.recorded).toEqual([]);
    await all.time.advance(1);
    expect(order(all)).toEqual([1, 2]);
    expect(all.batches).toEqual([2]);
  });

  it('A hundred decisions are sent at once, in the order of the calls', async () => {
    const all = setup();
    for (const n of numbers(250)) all.ledger.record(decision(n));
    await all.time.advance(0);
    expect(all.batches).toEqual([100, 100]);
    await all.time.advance(1000);
    expect(all.batches).toEqual([100, 100, 50]);
    expect(order(all)).toEqual(numbers(250));
  });

  it('A batch has at most 7 MiB', async () => {
    const sizes: number[] = [];
    const service = new TestService();
    const all = setup({
      fetch(url, request) {
        sizes.push(Buffer.byteLength(request.body ?? ''));
        return service.fetch(url, request);
      },
    });
    const text = 'é'.repeat(100_000);
    for (const n of numbers(80)) all.ledger.record({ ...decision(n), outputs: { text } });
    await all.time.until(all.ledger.flush());
    expect(sizes).toHaveLength(3);
    expect(Math.max(...sizes)).toBeLessThan(7 * 1024 * 1024 + 20);
    expect(Math.max(...sizes)).toBeGreaterThan(6 * 1024 * 1024);
  });

  it('A decision is recorded as it was at the call, with the time of the call', async () => {
    const { ledger, service, time } = setup();
    const given = { ...decision(), inputs: { total: 1 } };
    ledger.record(given);
    given.inputs.total = 2;
    await time.advance(2000);
    expect(service.recorded).toMatchObject([
      { inputs: { total: 1 }, timestamp: '2026-04-16T09:30:00.000Z' },
    ]);
  });
});

describe('Failures', () => {
  it.for([408, 429, 500, 502, 503, 'network'] as const)(
    'After %s the same decisions are sent again until they are taken, each once',
    async (status) => {
      const all = setup();
      all.service.failNext({ requests: 7, status });
      for (const n of numbers(3)) all.ledger.record(decision(n));
      const report = await all.time.until(all.ledger.flush({ timeoutMs: 600_000 }));
      expect(report).toEqual({ accepted: 3, pending: 0, failed: 0 });
      expect(order(all)).toEqual([1, 2, 3]);
      expect(all.ledger.stats().retries).toBe(7);
    },
  );

  it.for([401, 403, 404, 301, 418])(
    'An answer %s that does not blame a decision leaves the decisions waiting',
    async (status) => {
      const all = setup();
      all.service.failNext({ requests: 3, status });
      all.ledger.record(decision());
      await all.time.advance(120_000);
      expect(order(all)).toEqual([1]);
      expect(all.problems.map(({ kind }) => kind)).toEqual(['delivery', 'delivery', 'delivery']);
    },
  );

  it('A lost answer does not record the decisions twice', async () => {
    const service = new TestService();
    let lost = 2;
    const all = setup({
      async fetch(url, request) {
        const answer = await service.fetch(url, request);
        lost -= 1;
        if (lost >= 0) throw new TypeError('terminated');
        return answer;
      },
    });
    for (const n of numbers(5)) all.ledger.record(decision(n));
    await all.time.until(all.ledger.flush());
    expect(service.recorded).toHaveLength(5);
    expect(all.ledger.stats()).toMatchObject({ accepted: 5, replayed: 5, failed: 0 });
  });

  it('An answer that is cut within its body is asked for again', async () => {
    const service = new TestService();
    let cuts = 1;
    const all = setup({
      async fetch(url, request) {
        const answer = await service.fetch(url, request);
        const text = await answer.text();
        cuts -= 1;
        return cuts < 0 ? answer : { ...answer, text: () => Promise.resolve(text.slice(0, -9)) };
      },
    });
    all.ledger.record(decision());
    await all.time.until(all.ledger.flush());
    expect(service.recorded).toHaveLength(1);
  });

  it('Retry-After is waited for, whatever a flush asks', async () => {
    const all = setup();
    all.service.failNext({ requests: 1, status: 429, retryAfter: 20 });
    all.ledger.record(decision());
    await all.time.advance(1000);
    const flushed = all.ledger.flush({ timeoutMs: 60_000 });
    await all.time.advance(19_999);
    expect(all.service.recorded).toEqual([]);
    await all.time.advance(1000);
    await expect(flushed).resolves.toMatchObject({ accepted: 1 });
  });

  it('A service that never answers is given up after the time of a request', async () => {
    const service = new TestService();
    let hangs = 1;
    const all = setup({
      requestTimeoutMs: 5000,
      fetch(url, request) {
        hangs -= 1;
        if (hangs < 0) return service.fetch(url, request);
        return new Promise((_, reject) => {
          request.signal.addEventListener('abort', () => reject(request.signal.reason));
        });
      },
    });
    all.ledger.record(decision());
    await all.time.advance(10_000);
    expect(service.recorded).toHaveLength(1);
    expect(all.problems[0]?.message).toContain('did not answer within 5000 ms');
  });

  it('No problem that is reported contains the key', async () => {
    const all = setup();
    all.service.failNext({ requests: 3, status: 'network' });
    all.ledger.record({ ...decision(), confidence: 7 });
    await all.time.until(all.ledger.flush().catch(() => null));
    expect(all.problems.length).toBeGreaterThan(3);
    const texts = all.problems.map((problem) => `${JSON.stringify(problem)} ${problem.error}`);
    expect(texts.join()).not.toContain('lg_test_secret');
  });

  it('A fault of the platform within the sender is reported, and delivery continues', async () => {
    const time = manualTime();
    let faults = 2;
    const all = setup({
      ...{ timers: time.timers, now: time.now },
      random() {
        faults -= 1;
        if (faults >= 0) throw new Error('no entropy');
        return 0.5;
      },
    });
    all.service.failNext({ requests: 3, status: 503 });
    all.ledger.record(decision());
    await time.advance(60_000);
    expect(order(all)).toEqual([1]);
    expect(all.problems.filter(({ kind }) => kind === 'internal')).toHaveLength(2);
  });
});

describe('Refused decisions', () => {
  it('The decision at fault is reported, and all others are recorded in order', async () => {
    const all = setup();
    for (const n of numbers(100)) {
      all.ledger.record(n % 40 === 7 ? { ...decision(n), confidence: 2 } : decision(n));
    }
    const error = await all.time.until(all.ledger.flush().catch((thrown: unknown) => thrown));
    expect(error).toBeInstanceOf(DecisionsLostError);
    expect(error).toMatchObject({ report: { accepted: 97, pending: 0, failed: 3 } });
    expect(order(all)).toEqual(numbers(100).filter((n) => n % 40 !== 7));
    const refused = all.problems.filter(({ kind }) => kind === 'refused');
    expect(refused.map(({ decision: text = '{}' }) => JSON.parse(text).inputs.n)).toEqual([
      7, 47, 87,
    ]);
    // All in one request: nothing is sent twice.
    expect(all.batches).toEqual([100]);
  });

  it('If all decisions of a batch are refused, each is given up with its own error, in one request', async () => {
    const all = setup();
    all.ledger.record({ ...decision(1), confidence: 2 });
    all.ledger.record({ ...decision(2), agent_id: JSON.parse('7') });
    await all.time.until(all.ledger.flush().catch(() => null));
    const refused = all.problems.filter(({ kind }) => kind === 'refused');
    const fields = refused.map(({ error }) =>
      error instanceof LedgerApiError ? Object.keys(error.details.fields ?? {}) : [],
    );
    expect(fields).toEqual([['decisions[0].confidence'], ['decisions[1].agent_id']]);
    expect([all.batches, all.service.recorded]).toEqual([[2], []]);
  });

  it.each([
    { decisions: [], refused: [{ index: 1, error: { code: 'validation_error' } }] },
    { decisions: [], refused: [{ index: 0 }] },
    { decisions: [], refused: [{ index: -1, error: {} }] },
    { decisions: [], refused: 'all' },
    { decisions: [], refused: [] },
  ])(
    'The answer %j does not say what became of one decision, which is sent again',
    async (data) => {
      let answers = 0;
      const service = new TestService();
      const all = setup({
        fetch(url, request) {
          answers += 1;
          if (answers > 1) return service.fetch(url, request);
          return Promise.resolve({
            status: 201,
            headers: { get: () => null },
            text: () => Promise.resolve(JSON.stringify({ data })),
            arrayBuffer: () => Promise.resolve(new ArrayBuffer(0)),
          });
        },
      });
      all.ledger.record(decision(1));
      await all.time.until(all.ledger.flush());
      expect([service.recorded.length, answers]).toEqual([1, 2]);
    },
  );

  it('A refusal that names no decision is narrowed down to the one at fault', async () => {
    const service = new TestService();
    const all = setup({
      fetch(url, request) {
        if (!String(request.body).includes('"n":61,')) return service.fetch(url, request);
        return Promise.resolve({
          status: 413,
          headers: { get: () => null },
          text: () => Promise.resolve('<html>Request Entity Too Large</html>'),
          arrayBuffer: () => Promise.resolve(new ArrayBuffer(0)),
        });
      },
    });
    for (const n of numbers(100)) {
      all.ledger.record({ ...decision(n), inputs: { n, order: 'A' } });
    }
    await all.time.until(all.ledger.flush().catch(() => null));
    expect(service.recorded.map(({ inputs }) => inputs.n)).toEqual(
      numbers(100).filter((n) => n !== 61),
    );
    expect(all.ledger.stats()).toMatchObject({ accepted: 99, failed: 1, pending: 0 });
  });

  it('A clock that runs ahead costs the time of a decision, not the decision', async () => {
    const service = new TestService();
    const all = setup({
      fetch(url, request) {
        if (!String(request.body).includes('"timestamp"')) return service.fetch(url, request);
        const fields = { 'decisions[0].timestamp': ['must not be in the future'] };
        const error = { code: 'validation_error', message: 'see timestamp', details: { fields } };
        return Promise.resolve({
          status: 422,
          headers: { get: () => null },
          text: () => Promise.resolve(JSON.stringify({ error })),
          arrayBuffer: () => Promise.resolve(new ArrayBuffer(0)),
        });
      },
    });
    all.ledger.record(decision());
    await all.time.until(all.ledger.flush());
    expect(service.recorded).toHaveLength(1);
  });
});

describe('Flush and close', () => {
  it('A flush reports each loss once, and close reports all of them', async () => {
    const all = setup();
    all.ledger.record({ ...decision(1), confidence: -1 });
    await expect(all.time.until(all.ledger.flush())).rejects.toMatchObject({
      name: 'DecisionsLostError',
      report: { accepted: 0, pending: 0, failed: 1 },
    });
    all.ledger.record(decision(2));
    await expect(all.time.until(all.ledger.flush())).resolves.toEqual({
      ...{ accepted: 1, pending: 0, failed: 0 },
    });
    await expect(all.time.until(all.ledger.close())).rejects.toMatchObject({
      report: { accepted: 1, pending: 0, failed: 1 },
    });
  });

  it('Two flushes at the same time both report a loss', async () => {
    const all = setup();
    all.ledger.record({ ...decision(1), confidence: -1 });
    const both = [all.ledger.flush(), all.ledger.flush()];
    for (const flushed of both) flushed.catch(() => undefined);
    await all.time.advance(1000);
    for (const flushed of both) await expect(flushed).rejects.toThrow('1 of 1 decisions were lost');
  });

  it('A flush in an outage ends after its time and reports what waits', async () => {
    const all = setup();
    all.service.failNext({ requests: 1000, status: 503 });
    all.ledger.record(decision());
    const report = await all.time.until(all.ledger.flush({ timeoutMs: 3000 }));
    expect(report).toEqual({ accepted: 0, pending: 1, failed: 0 });
  });

  it('A flush ends when its signal is aborted', async () => {
    const all = setup();
    all.service.failNext({ requests: 1000, status: 503 });
    all.ledger.record(decision());
    const controller = new AbortController();
    const flushed = all.ledger.flush({ signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(flushed).rejects.toThrow('enough');
  });

  it('Closing without an outbox in an outage rejects, because what waits is lost', async () => {
    const all = setup();
    all.service.failNext({ requests: 1000, status: 'network' });
    for (const n of numbers(3)) all.ledger.record(decision(n));
    await expect(all.time.until(all.ledger.close())).rejects.toMatchObject({
      report: { accepted: 0, pending: 0, failed: 3 },
    });
  });

  it('A decision that is recorded after close is reported as dropped', async () => {
    const all = setup();
    await all.time.until(all.ledger.close());
    all.ledger.record(decision());
    expect(all.problems.map(({ kind, message }) => [kind, message])).toEqual([
      ['dropped', 'a decision was dropped: the client is closed'],
    ]);
  });

  it('A queue that is full drops the new decision, and flush rejects', async () => {
    const all = setup({ maxQueued: 5 });
    all.service.failNext({ requests: 2, status: 503 });
    for (const n of numbers(8)) all.ledger.record(decision(n));
    expect(all.ledger.stats()).toMatchObject({ queued: 5, failed: 3 });
    await expect(all.time.until(all.ledger.flush())).rejects.toMatchObject({
      report: { accepted: 5, pending: 0, failed: 3 },
    });
    expect(order(all)).toEqual([1, 2, 3, 4, 5]);
  });

  it('The bytes in memory are bounded', () => {
    const all = setup({ maxQueuedBytes: 10_000 });
    const text = 'x'.repeat(900);
    for (const n of numbers(100)) all.ledger.record({ ...decision(n), outputs: { text } });
    const { queuedBytes, queued, failed } = all.ledger.stats();
    expect(queuedBytes).toBeLessThanOrEqual(10_000);
    expect(queued + failed).toBe(100);
  });
});

describe('What record accepts', () => {
  it.for([undefined, null, 7, 'text', {}, []])(
    'Recording %s does not throw, and is reported',
    async (value) => {
      const all = setup();
      Reflect.apply(all.ledger.record, all.ledger, [value]);
      await all.time.until(all.ledger.flush().catch(() => null));
      expect(all.ledger.stats()).toMatchObject({ accepted: 0, failed: 1, pending: 0 });
    },
  );

  it('Half of an emoji and a zero character are replaced, and nothing else is', async () => {
    const all = setup();
    const text = `cut \ud83d, zero \u0000, whole 😀, escaped \\u0000 \\\\ud83d`;
    all.ledger.record({ ...decision(), outputs: { text, '\udc00': 1 } });
    await all.time.until(all.ledger.flush());
    expect(all.service.recorded[0]?.outputs).toEqual({
      text: `cut \ufffd, zero \ufffd, whole 😀, escaped \\u0000 \\\\ud83d`,
      '\ufffd': 1,
    });
    expect(all.service.recorded[0]?.metadata?.degraded).toEqual([
      '/outputs/text',
      '/outputs/\ufffd',
    ]);
  });

  it('The payload may be of a type of the application, such as an interface', async () => {
    interface Refund {
      readonly order: string;
    }
    const [inputs, outputs]: [Refund, Refund] = [{ order: 'A-1' }, { order: 'A-2' }];
    const all = setup();
    all.ledger.record({ ...decision(), inputs, outputs, alternatives: [inputs], metadata: inputs });
    await all.time.until(all.ledger.flush());
    expect(all.service.recorded).toMatchObject([{ inputs, outputs, alternatives: [inputs] }]);
  });

  it('An idempotency key and a time of the application are kept', async () => {
    const all = setup();
    const given = { idempotency_key: 'order "7"', timestamp: '2026-04-01T00:00:00.000Z' };
    all.ledger.record({ ...decision(), ...given });
    all.ledger.record({ ...decision(), ...given });
    await all.time.until(all.ledger.flush());
    expect(all.service.recorded).toMatchObject([given]);
    expect(all.ledger.stats()).toMatchObject({ accepted: 2, replayed: 1 });
  });

  it('A handler of problems that throws does not reach the agent', () => {
    const all = setup({
      onError() {
        throw new Error('handler');
      },
    });
    Reflect.apply(all.ledger.record, all.ledger, [null]);
    expect(all.ledger.stats().failed).toBe(1);
  });
});

describe('Receipts', () => {
  it('The last receipt is the anchor of a verification', async () => {
    const all = setup();
    for (const n of numbers(3)) all.ledger.record(decision(n));
    expect(all.ledger.anchor).toBeNull();
    await all.time.until(all.ledger.flush());
    expect(all.ledger.anchor).toEqual({ seq: 3, hash: all.service.recorded[2]?.hash });
  });

  it('A ledger whose numbers go back is reported', async () => {
    const services = [new TestService(), new TestService()];
    let use = services[0];
    const all = setup({ fetch: async (url, request) => (use as TestService).fetch(url, request) });
    for (const n of numbers(3)) all.ledger.record(decision(n));
    await all.time.until(all.ledger.flush());
    use = services[1];
    all.ledger.record(decision(4));
    await all.time.until(all.ledger.flush());
    expect(all.problems).toMatchObject([{ kind: 'receipt' }]);
    expect(all.problems[0]?.message).toContain('a new decision has seq 1, but 3 was given before');
  });
});

describe('Recording and waiting', () => {
  it('A receipt that overtakes the answer to a batch is no contradiction', async () => {
    const service = new TestService();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const all = setup({
      fetch: async (url, request) => {
        const answer = await service.fetch(url, request);
        if (url.endsWith('/batch')) await held;
        return answer;
      },
    });
    all.ledger.record(decision(1));
    const flushed = all.ledger.flush();
    while (service.recorded.length === 0) await all.time.advance(1);
    const { seq, hash } = await all.time.until(all.ledger.recordNow(decision(2)));
    release();
    expect(await all.time.until(flushed)).toMatchObject({ accepted: 2, pending: 0, failed: 0 });
    expect(all.ledger.anchor).toEqual({ seq, hash });
    expect(seq).toBe(2);
    expect(all.problems).toEqual([]);
  });

  it('The call recordNow returns the receipt, and repeats a failed request under the same key', async () => {
    const all = setup();
    all.service.failNext({ requests: 2, status: 503 });
    const receipt = await all.time.until(all.ledger.recordNow(decision()));
    expect(receipt).toMatchObject({ seq: 1, decision_id: expect.stringMatching(/^dec_/) });
    expect(all.service.recorded).toHaveLength(1);
  });

  it('The call recordNow throws a typed error for a refusal', async () => {
    const all = setup();
    const recorded = all.ledger.recordNow({ ...decision(), confidence: 2 });
    await expect(all.time.until(recorded)).rejects.toMatchObject({
      ...{ name: 'LedgerApiError', code: 'validation_error', status: 422 },
      details: { fields: { confidence: [expect.any(String)] } },
    });
  });

  it('The call recordNow throws after four attempts without an answer', async () => {
    const all = setup();
    all.service.failNext({ requests: 4, status: 'network' });
    await expect(all.time.until(all.ledger.recordNow(decision()))).rejects.toMatchObject({
      name: 'LedgerConnectionError',
    });
    expect(all.service.recorded).toEqual([]);
  });

  it('The call recordNow fails at once when the service asks for a long wait, and states it', async () => {
    const all = setup();
    all.service.failNext({ requests: 1, status: 429, retryAfter: 3600 });
    await expect(all.time.until(all.ledger.recordNow(decision()))).rejects.toMatchObject({
      ...{ status: 429, retryAfterMs: 3_600_000 },
    });
    expect(all.service.recorded).toEqual([]);
  });

  it('The call recordNow ends when its signal is aborted, also between attempts', async () => {
    const all = setup();
    all.service.failNext({ requests: 4, status: 'network' });
    const controller = new AbortController();
    const recorded = all.ledger.recordNow(decision(), { signal: controller.signal });
    recorded.catch(() => undefined);
    await settle();
    controller.abort(new Error('enough'));
    await expect(recorded).rejects.toThrow('enough');
  });
});

it('A disabled client records nothing and sends nothing', async () => {
  const all = setup({ disabled: true, outbox: '/nonexistent/outbox' });
  all.ledger.record(decision());
  await expect(all.ledger.recordNow(decision())).rejects.toMatchObject({
    name: 'LedgerDisabledError',
  });
  expect(await all.ledger.close()).toEqual({ accepted: 0, pending: 0, failed: 0 });
  expect(all.batches).toEqual([]);
});

it.for([
  [{ url: 'ledger.example.com' }, /URL/],
  [{ url: 'ftp://ledger.example.com' }, /url must begin with/],
  [{ url: 'https://user:pass@ledger.example.com' }, /no user, password/],
  [{ key: '' }, /the option key/],
  [{ maxBatch: 101 }, /maxBatch must be a number from 1 to 100/],
  [{ mask: { paths: ['inputs..email'] } }, /path of the mask is empty/],
] as const)('The options %j are refused with a clear error', ([options, message]) => {
  expect(() => setup(options)).toThrow(message);
});
