import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ledger, type LedgerOptions, type LedgerProblem } from '@decision-ledger/client';
import { TestService } from '@decision-ledger/client/testing';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { decision } from './support/decisions.js';
import { type ManualTime, manualTime } from './support/manual-time.js';

let root: string;
let outbox: string;
let time: ManualTime;
let service: TestService;
let problems: LedgerProblem[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ledger-client-'));
  outbox = join(root, 'outbox');
  time = manualTime();
  service = new TestService(time.now);
  problems = [];
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function open(options: Partial<LedgerOptions> = {}): Ledger {
  return new Ledger({
    ...{ url: 'https://ledger.example.com', key: 'lg_test_secret', outbox },
    ...{ fetch: service.fetch, timers: time.timers, now: time.now, random: () => 0.5 },
    onError: (problem) => problems.push(problem),
    ...options,
  });
}

/** The paths of all files below the outbox that match. */
function files(pattern: RegExp): string[] {
  return readdirSync(outbox, { recursive: true, encoding: 'utf8' })
    .filter((path) => pattern.test(path))
    .sort()
    .map((path) => join(outbox, path));
}

/** What is left beside the last receipt. */
const left = () => files(/^(?!anchor-)/);
const segments = () => files(/\d+\.ndjson$/);
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const recorded = () => service.recorded.map(({ inputs }) => inputs.n);
const outage = () => service.failNext({ requests: Number.POSITIVE_INFINITY, status: 'network' });
const recovery = () => service.failNext({ requests: 0, status: 503 });

/** Records decisions in an outage and ends the client. */
async function leave(count: number, first = 1): Promise<void> {
  outage();
  const ledger = open();
  for (let n = first; n < first + count; n += 1) ledger.record(decision(n));
  await time.until(ledger.close());
  recovery();
}

describe('What is on disk', () => {
  it('A decision is in a segment when record returns', () => {
    const ledger = open();
    ledger.record(decision(1));
    expect(readFileSync(segments()[0] ?? '', 'utf8')).toContain('"order":"A-1"');
  });

  it('All files can be read by their owner alone, and contain no key', async () => {
    const ledger = open();
    ledger.record(decision(1));
    ledger.record({ ...decision(2), confidence: 3 });
    await time.until(ledger.flush().catch(() => null));
    const all = files(/ndjson$|delivered$|owner/);
    expect(all.length).toBeGreaterThanOrEqual(4);
    expect(all.map((path) => statSync(path).mode & 0o777)).toEqual(all.map(() => 0o600));
    expect(all.map((path) => readFileSync(path, 'utf8')).join()).not.toContain('lg_test_secret');
  });

  it('A client that has delivered everything leaves nothing but dead letters and its last receipt', async () => {
    const ledger = open();
    ledger.record(decision(1));
    ledger.record({ ...decision(2), confidence: 3 });
    await time.until(ledger.close().catch(() => null));
    expect(left()).toEqual([join(outbox, 'dead-letters.ndjson')]);
    expect(JSON.parse(readFileSync(join(outbox, 'dead-letters.ndjson'), 'utf8'))).toMatchObject({
      error: { code: 'validation_error' },
      decision: { confidence: 3, inputs: { n: 2 } },
    });
  });

  it('Delivered decisions are removed while the client runs', async () => {
    const ledger = open();
    const text = 'x'.repeat(10_000);
    for (let round = 0; round < 5; round += 1) {
      for (const n of numbers(40)) ledger.record({ ...decision(n), outputs: { text } });
      await time.until(ledger.flush());
    }
    const bytes = segments().reduce((sum, path) => sum + statSync(path).size, 0);
    expect(bytes).toBeLessThan(300_000);
    expect(ledger.stats().outboxBytes).toBe(0);
  });
});

describe('A next process', () => {
  it('It delivers what the one before could not, in order and once', async () => {
    await leave(250);
    expect(service.recorded).toEqual([]);
    const ledger = open();
    const report = await time.until(ledger.close());
    expect(report).toEqual({ accepted: 250, pending: 0, failed: 0 });
    expect(recorded()).toEqual(numbers(250));
    expect(left()).toEqual([]);
  });

  it('A close in an outage does not reject, because what waits is on disk', async () => {
    outage();
    const ledger = open();
    ledger.record(decision(1));
    await expect(time.until(ledger.close())).resolves.toEqual({
      ...{ accepted: 0, pending: 1, failed: 0 },
    });
  });

  it('A line that the process did not finish is left out, as its call did not return', async () => {
    await leave(3);
    const [segment = ''] = segments();
    truncateSync(segment, statSync(segment).size - 5);
    await expect(time.until(open().close())).resolves.toMatchObject({ accepted: 2, failed: 0 });
    expect(recorded()).toEqual([1, 2]);
  });

  it('A damaged line is reported, and the lines around it are delivered', async () => {
    await leave(3);
    const [segment = ''] = segments();
    const text = readFileSync(segment, 'utf8');
    writeFileSync(segment, text.replace('"A-2"', '"B-2"'));
    await expect(time.until(open().close())).rejects.toMatchObject({
      report: { accepted: 2, pending: 0, failed: 1 },
    });
    expect(recorded()).toEqual([1, 3]);
    expect(problems.map(({ kind }) => kind)).toContain('unreadable');
  });

  it('Bytes of another kind in a segment do not stop the delivery', async () => {
    await leave(2);
    const [segment = ''] = segments();
    appendFileSync(segment, Buffer.concat([Buffer.alloc(5000), Buffer.from('\n\n{}\n')]));
    await time.until(
      open()
        .close()
        .catch(() => null),
    );
    expect(recorded()).toEqual([1, 2]);
  });

  it('A lost mark of what is delivered does not record anything twice', async () => {
    const first = open();
    for (const n of numbers(3)) first.record(decision(n));
    await time.until(first.flush());
    outage();
    first.record(decision(4));
    await time.until(first.close());
    recovery();
    for (const path of files(/delivered$/)) rmSync(path);
    const report = await time.until(open().close());
    expect(report).toMatchObject({ accepted: 4, failed: 0 });
    expect(recorded()).toEqual([1, 2, 3, 4]);
  });

  it('Decisions that were adopted and not delivered are adopted again', async () => {
    await leave(2);
    outage();
    const second = open();
    second.record(decision(3));
    await time.until(second.close());
    recovery();
    const third = open();
    third.record(decision(4));
    await time.until(third.close());
    expect(recorded().sort()).toEqual([1, 2, 3, 4]);
    expect(left()).toEqual([]);
  });

  it('Two clients on one outbox leave each other alone while both live', async () => {
    outage();
    const one = open();
    const two = open();
    one.record(decision(1));
    two.record(decision(2));
    await time.advance(200_000);
    recovery();
    await time.until(two.close());
    expect(recorded()).toEqual([2]);
    await time.until(one.close());
    expect(recorded()).toEqual([2, 1]);
  });

  it('A client takes over from one that ends later', async () => {
    outage();
    const one = open();
    const two = open();
    one.record(decision(1));
    await time.until(one.close());
    recovery();
    await time.advance(61_000);
    await time.until(two.flush());
    expect(recorded()).toEqual([1]);
  });

  it.each([
    ['', '/tmp'],
    [', and so may TMPDIR', `/tmp/${'long-'.repeat(20)}`],
  ])('The path of an outbox may be longer than that of a socket%s', async (_also, folder) => {
    vi.stubEnv('TMPDIR', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    outbox = join(root, 'a'.repeat(60), 'b'.repeat(60));
    await leave(1);
    await time.until(open().close());
    expect(recorded()).toEqual([1]);
  });
});

describe('Limits', () => {
  it('In an outage the memory stays bounded, and everything is delivered afterwards in order', async () => {
    outage();
    const ledger = open({ maxQueued: 150 });
    for (const n of numbers(5000)) ledger.record(decision(n));
    await time.advance(60_000);
    expect(ledger.stats()).toMatchObject({ queued: 150, pending: 5000, failed: 0 });
    recovery();
    for (const n of numbers(100)) ledger.record(decision(5000 + n));
    const report = await time.until(ledger.flush({ timeoutMs: 600_000 }));
    expect(report).toEqual({ accepted: 5100, pending: 0, failed: 0 });
    expect(recorded()).toEqual(numbers(5100));
  });

  it('The bytes in memory stay bounded as well', async () => {
    outage();
    const ledger = open({ maxQueuedBytes: 20_000 });
    const text = 'x'.repeat(1000);
    for (const n of numbers(500)) ledger.record({ ...decision(n), outputs: { text } });
    expect(ledger.stats().queuedBytes).toBeLessThanOrEqual(20_000);
    recovery();
    await time.until(ledger.close({ timeoutMs: 600_000 }));
    expect(recorded()).toEqual(numbers(500));
  });

  it('Segments are read in order across their ends', async () => {
    outage();
    const ledger = open({ maxQueued: 10 });
    const text = 'é'.repeat(50_000);
    for (const n of numbers(300)) ledger.record({ ...decision(n), outputs: { text } });
    expect(segments().length).toBeGreaterThan(2);
    recovery();
    await time.until(ledger.close({ timeoutMs: 3_600_000 }));
    expect(recorded()).toEqual(numbers(300));
    expect(left()).toEqual([]);
  });

  it('Beyond the largest size of the outbox decisions wait in memory, and then they are lost', async () => {
    outage();
    const ledger = open({ outbox: { path: outbox, maxBytes: 2000 }, maxQueued: 30 });
    for (const n of numbers(50)) ledger.record(decision(n));
    expect(ledger.stats()).toMatchObject({ queued: 30, failed: 20 });
    expect(problems.filter(({ kind }) => kind === 'outbox')).toHaveLength(1);
    const stored = segments().flatMap((path) => readFileSync(path, 'utf8').trim().split('\n'));
    await expect(time.until(ledger.close())).rejects.toMatchObject({
      report: { accepted: 0, pending: stored.length, failed: 50 - stored.length },
    });
  });

  it('An outbox that cannot be created fails the constructor with the path', () => {
    writeFileSync(outbox, 'a file');
    expect(() => open()).toThrow(outbox);
  });

  it('An outbox waits for the disk if asked to', () => {
    const ledger = open({ outbox: { path: outbox, fsync: true } });
    ledger.record(decision(1));
    expect(existsSync(segments()[0] ?? '')).toBe(true);
  });
});
