import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifierKeyText } from '@decision-ledger/proof/tlog/verifier-key';
import { ALARMS, type Alarm } from '@decision-ledger/watch/alarms';
import { checkStatement } from '@decision-ledger/watch/check-statement';
import { ForkError } from '@decision-ledger/watch/fork';
import { KeyChange } from '@decision-ledger/watch/log-key';
import { logSource } from '@decision-ledger/watch/source';
import { statementsIn } from '@decision-ledger/watch/statements';
import { Watch } from '@decision-ledger/watch/watch';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signerOf } from '../../proof/test/support/ed25519.js';
import { ROOT } from '../../server/test/support/paths.js';
import { history, LOG_KEYS, LogServer, leafOf, ORIGINS } from './support/log-server.js';

const START = Date.parse('2026-04-16T09:00:00Z');
const HOUR = 3_600_000;

let log: LogServer;
let folder: string;
let now: number;
let sent: string[];
let takes: boolean;

beforeEach(async () => {
  log = await LogServer.start();
  folder = mkdtempSync(join(tmpdir(), 'decision-ledger-watch-'));
  now = Date.now();
  sent = [];
  takes = true;
});
afterEach(async () => {
  await log.close();
  rmSync(folder, { recursive: true });
});

const sourceOf = (timeoutMs = 5000) => logSource({ url: log.url, apiKey: null, timeoutMs });

const open = (options: { timeoutMs?: number; staleAfterMs?: number; logKeys?: string[] } = {}) =>
  Watch.open({
    folder,
    source: sourceOf(options.timeoutMs),
    logKeys: options.logKeys ?? LOG_KEYS,
    staleAfterMs: options.staleAfterMs ?? 0,
    now: () => now,
    onLook: () => undefined,
    send: async ({ kind, log: origin }: Alarm, state) => {
      sent.push(`${state} ${kind} ${origin.split('/').at(-1)}`);
      return takes;
    },
  });

/** A look of a new process: nothing but the folder is left of the one before. */
const look = async (options = {}) => (await open(options)).look();

const grow = (size: number) => {
  log.leaves.decisions = history('decision', size);
};
const rewrite = (size: number) => {
  log.leaves.decisions = history('other', size);
};
const kept = (chain = 'decisions') =>
  readdirSync(join(folder, chain))
    .filter((name) => name.endsWith('.note'))
    .map((name) => Number.parseInt(name, 10));
const forkFile = () => JSON.parse(readFileSync(join(folder, 'fork.json'), 'utf8'));

describe('A watcher', () => {
  it('A watcher keeps every note of a log that grows, over tiles of several levels', async () => {
    const sizes = [5, 6, 255, 256, 257, 512, 700];
    const watch = await open();
    for (const size of sizes) {
      grow(size);
      expect(await watch.look()).toBe('fine');
    }
    expect(kept()).toEqual(sizes);
    expect(kept('activity')).toEqual([3]);
    const note = readFileSync(join(folder, 'decisions', '0000000000000700.note'), 'utf8');
    expect(note).toBe(log.note('decisions'));
    expect(sent).toEqual([]);
  });

  it.each([1, 2, 4, 7, 8, 9])(
    'A watcher finds a fork after %i records, and keeps both signed notes',
    async (size) => {
      grow(size);
      await look();
      const first = log.note('decisions');
      rewrite(size + 3);
      expect(await look()).toBe('fork');
      expect(forkFile()).toMatchObject({
        origin: ORIGINS.decisions,
        verifier_key: LOG_KEYS[0],
        notes: [first, log.note('decisions')],
      });
      expect(sent).toEqual(['raised fork ledger']);
    },
  );

  it('A fork of the same size is found, and one of the activity', async () => {
    await look();
    log.leaves.activity = history('other', 3);
    expect(await look()).toBe('fork');
    expect(forkFile().origin).toBe(ORIGINS.activity);
  });

  it('A fork stays one, whatever the log answers later', async () => {
    await look();
    rewrite(9);
    await look();
    const before = forkFile();
    grow(12);
    expect(await look()).toBe('fork');
    expect(forkFile()).toEqual(before);
    expect(sent).toEqual(['raised fork ledger']);
  });

  it('A fork that hides between two kept trees is found', async () => {
    grow(4);
    await look();
    grow(9);
    await look();
    // A restored state went on otherwise; its tiles are those of its own tree.
    log.leaves.decisions = [...history('decision', 4), ...history('other', 2)];
    expect(await look()).toBe('alarm');
    expect(sent).toEqual(['raised shrunk decisions', 'raised unproven decisions']);
    // What was signed then is kept, and contradicts what follows.
    grow(12);
    expect(await look()).toBe('fork');
  });

  it('A log that shrinks raises an alarm until it has its records again', async () => {
    grow(9);
    await look();
    grow(6);
    expect(await look()).toBe('alarm');
    expect(await look()).toBe('alarm');
    grow(10);
    expect(await look()).toBe('fine');
    expect(kept()).toEqual([6, 9, 10]);
    expect(sent.filter((line) => line.includes('shrunk'))).toEqual([
      'raised shrunk decisions',
      'cleared shrunk decisions',
    ]);
  });

  it('A log without a new checkpoint is stale after the given time', async () => {
    await look({ staleAfterMs: HOUR });
    now += HOUR - 60_000;
    expect(await look({ staleAfterMs: HOUR })).toBe('fine');
    now += 120_000;
    expect(await look({ staleAfterMs: HOUR })).toBe('alarm');
    expect(sent).toEqual(['raised stale decisions', 'raised stale activity']);
    expect(await look({ staleAfterMs: 0 })).toBe('fine');
  });

  const GARBAGE: [string, LogServer['fault'], string][] = [
    ['no text', (_, answer) => Boolean(answer.end(Buffer.of(0xff, 0xfe))), 'unreachable'],
    ['nothing', (_, answer) => Boolean(answer.end('')), 'invalid'],
    ['a page', (_, answer) => Boolean(answer.end('<html>')), 'invalid'],
    ['an error', (_, answer) => Boolean(answer.writeHead(500).end('{}')), 'unreachable'],
    [
      'a redirect',
      (_, answer) => Boolean(answer.writeHead(302, { location: 'http://127.0.0.1:1' }).end()),
      'unreachable',
    ],
    [
      'far too much',
      (_, answer) => Boolean(answer.end(Buffer.alloc(2_000_000, 'x'))),
      'unreachable',
    ],
    ['half of it', (_, answer) => Boolean(answer.socket?.destroy()), 'unreachable'],
    ['it never', () => true, 'unreachable'],
  ];
  it.each(GARBAGE)('A log that answers %s raises an alarm, and goes on', async (_, fault, kind) => {
    await look();
    log.fault = fault;
    expect(await look({ timeoutMs: 300 })).toBe('alarm');
    log.fault = () => false;
    grow(8);
    expect(await look()).toBe('fine');
    expect(kept()).toEqual([5, 8]);
    const of = (chain: string) => [`raised ${kind} ${chain}`, `cleared ${kind} ${chain}`];
    expect(sent.sort()).toEqual([...of('activity'), ...of('decisions')].sort());
  });

  it('Tiles that do not make the tree are no fork: the note waits until it can be compared', async () => {
    await look();
    grow(8);
    log.fault = (path, answer) =>
      path.includes('decisions/tile') && Boolean(answer.end(Buffer.alloc(8 * 32)));
    expect(await look()).toBe('alarm');
    expect(sent).toEqual(['raised unproven decisions']);
    expect(kept()).toEqual([5]);
    expect(kept('decisions/unproven')).toEqual([8]);
    log.fault = () => false;
    grow(11);
    expect(await look()).toBe('fine');
    expect(kept()).toEqual([5, 8, 11]);
    expect(kept('decisions/unproven')).toEqual([]);
  });

  it('A fork between two notes that could not be compared is found', async () => {
    await look();
    log.fault = (path, answer) => path.includes('tile') && Boolean(answer.writeHead(503).end());
    grow(8);
    await look();
    rewrite(8);
    expect(await look()).toBe('fork');
  });

  it('A note by another key is refused, and the key that was kept is not replaced', async () => {
    await look();
    log.seed = 7;
    expect(await look()).toBe('alarm');
    expect(sent).toEqual(['raised invalid decisions']);
    expect(kept()).toEqual([5]);
    const stranger = verifierKeyText(signerOf(ORIGINS.decisions, 7).key);
    await expect(look({ logKeys: [stranger] })).rejects.toThrow(KeyChange);
  });

  it('An alarm that the webhook did not take is sent again', async () => {
    await look();
    log.fault = (_, answer) => Boolean(answer.writeHead(503).end());
    takes = false;
    await look();
    takes = true;
    await look();
    await look();
    expect(sent.filter((line) => line === 'raised unreachable decisions').length).toBe(2);
  });

  it('What a killed process left half-written is ignored', async () => {
    await look();
    writeFileSync(join(folder, 'decisions', '.draft-0000000000000008.note'), 'example.com/led');
    writeFileSync(join(folder, 'alarms.json'), '[{"kind":"sta');
    grow(8);
    expect(await look()).toBe('fine');
    expect(kept()).toEqual([5, 8]);
  });

  it('A public log needs its keys, and an address that is none is refused', async () => {
    expect(await look({ logKeys: [] })).toBe('alarm');
    for (const url of ['x', 'file:///etc', 'http://a:b@c/', 'https://ledger.example.com']) {
      expect(() => logSource({ url, apiKey: null, timeoutMs: 1 }), url).toThrow(TypeError);
    }
  });
});

it('The documentation lists every alarm with its meaning', () => {
  const page = readFileSync(join(ROOT, 'docs/transparency.md'), 'utf8');
  const section = /## Follow a log\n([\s\S]*?)\n## /.exec(page)?.[1] ?? '';
  const rows = [...section.matchAll(/^\| `([a-z]+)` \| (.*) \|$/gm)];
  expect(rows.map(([, kind, meaning]) => [kind, meaning])).toEqual(Object.entries(ALARMS));
});

describe('A check of a file', () => {
  const check = async (text: string, source = sourceOf()) => {
    const [statement] = statementsIn(text);
    if (statement === undefined) throw new Error('there is no statement');
    return checkStatement({ folder, source, now: () => START }, statement);
  };

  beforeEach(async () => {
    await look();
    grow(300);
    await look();
  });

  it('A checkpoint agrees if it was kept, or fits what was kept', async () => {
    expect(await check(log.note('decisions'))).toMatchObject({ result: 'agrees' });
    expect(await check(log.note('activity'))).toMatchObject({ result: 'agrees' });
    const full = log.leaves.decisions;
    grow(260);
    const between = log.note('decisions');
    log.leaves.decisions = full;
    expect(await check(between)).toMatchObject({ kind: 'checkpoint', result: 'agrees' });
    rewrite(260);
    const forged = log.note('decisions');
    log.leaves.decisions = full;
    await expect(check(forged)).rejects.toThrow(ForkError);
    rewrite(300);
    await expect(check(log.note('decisions'))).rejects.toThrow(ForkError);
    rewrite(301);
    await expect(check(log.note('decisions'))).rejects.toThrow(ForkError);
  });

  it('A receipt agrees if its leaf is in the tree, and proves an omission if not', async () => {
    const leaf = leafOf('decision 279');
    expect(await check(log.receipt(280, leaf))).toMatchObject({
      kind: 'receipt',
      result: 'agrees',
    });
    expect(await check(log.receipt(301, leaf))).toMatchObject({ result: 'unproven' });
    await expect(check(log.receipt(281, leaf))).rejects.toThrow(/receipt of record 281/);
    log.fault = (_, answer) => Boolean(answer.end('x'));
    expect(await check(log.receipt(281, leaf))).toMatchObject({ result: 'unproven' });
  });

  it('A note of another log is foreign, and a changed one is refused', async () => {
    const note = log.note('decisions');
    const other = note.replaceAll('example.com', 'other.example.com');
    expect(await check(other)).toMatchObject({ result: 'foreign' });
    await expect(check(note.replace('\n300\n', '\n299\n'))).rejects.toThrow(/signature/);
    for (const text of ['', '{}', 'x\n', 'decision-ledger/receipt/v1\n', '[']) {
      expect(() => statementsIn(text), text).toThrow();
    }
  });
});
