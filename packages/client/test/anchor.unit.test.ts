import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ledger, type LedgerOptions, type LedgerProblem } from '@decision-ledger/client';
import { TestService } from '@decision-ledger/client/testing';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decision } from './support/decisions.js';
import { type ManualTime, manualTime } from './support/manual-time.js';

/** Two slots of a file, in bytes. */
const SLOT = 96;

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

const anchors = () =>
  readdirSync(outbox)
    .filter((name) => name.startsWith('anchor-'))
    .map((name) => join(outbox, name));

/** Records and delivers, one batch for each number. */
async function deliver(ledger: Ledger, ...counts: readonly number[]): Promise<void> {
  for (const count of counts) {
    for (let n = 1; n <= count; n += 1) ledger.record(decision(n));
    await time.until(ledger.flush());
  }
}

describe('The last receipt on disk', () => {
  it('The next process has it before it has sent anything', async () => {
    const first = open();
    await deliver(first, 3, 2);
    const { anchor } = first;
    expect(anchor).toMatchObject({ seq: 5 });
    await time.until(first.close());
    const next = open();
    expect(next.anchor).toEqual(anchor);
    await time.until(next.close());
    expect(open().anchor).toEqual(anchor);
    expect(anchors()).toHaveLength(1);
    expect(anchors().map((path) => statSync(path).mode & 0o777)).toEqual([0o600]);
  });

  it('A receipt of recordNow is kept, too', async () => {
    const ledger = open();
    await time.until(ledger.recordNow(decision(1)));
    // The process ends here, however it ends.
    expect(open().anchor).toEqual(ledger.anchor);
  });

  it('A process that is never closed leaves it for the next one', async () => {
    const killed = open();
    await deliver(killed, 2);
    expect(open().anchor).toEqual(killed.anchor);
  });

  it('Of several processes on a folder, the highest receipt counts', async () => {
    const [one, two] = [open(), open()];
    await deliver(one, 1);
    await deliver(two, 1);
    await deliver(one, 1);
    await time.until(two.close());
    const three = open();
    expect(three.anchor).toEqual(one.anchor);
    await deliver(one, 1);
    await time.until(three.close());
    expect(open().anchor).toMatchObject({ seq: 4 });
  });

  it('A client that never had a receipt leaves no file', async () => {
    await time.until(open().close());
    expect(anchors()).toEqual([]);
  });

  it('A write that was cut anywhere leaves the receipt before it', async () => {
    const ledger = open();
    await deliver(ledger, 1, 1, 1);
    const [path = ''] = anchors();
    const whole = readFileSync(path);
    // The third write was to the first slot.
    fc.assert(
      fc.property(fc.nat({ max: SLOT - 1 }), fc.nat({ max: 255 }), (at, value) => {
        const torn = Buffer.from(whole);
        torn.fill(value, at, SLOT);
        const other = mkdtempSync(join(root, 'torn-'));
        writeFileSync(join(other, 'anchor-w-000000000000'), torn);
        // The line feed ends a slot and says nothing.
        const isWhole = torn.subarray(0, SLOT - 1).equals(whole.subarray(0, SLOT - 1));
        expect(open({ outbox: other }).anchor?.seq).toBe(isWhole ? 3 : 2);
      }),
      { seed: 2026, numRuns: 100 },
    );
  });

  it('Files of anything else, and those that are empty, are no receipt', () => {
    open();
    for (const content of ['', 'x'.repeat(2 * SLOT), `${'0'.repeat(8)}${'a'.repeat(64)} 7`]) {
      writeFileSync(join(outbox, 'anchor-w-000000000000'), content);
      expect(open().anchor).toBeNull();
    }
  });

  it('A ledger that continues below it is reported with the first batch', async () => {
    await deliver(open(), 3);
    const restored = new TestService(time.now);
    const next = open({ fetch: restored.fetch });
    await deliver(next, 1);
    expect(problems).toMatchObject([{ kind: 'receipt' }]);
    expect(problems[0]?.message).toContain('seq 1, but 3 was given before');
    // The higher one stays: a later verification still expects it.
    expect(open().anchor).toMatchObject({ seq: 3 });
  });
});
