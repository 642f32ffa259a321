import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { MAX_PRESENTATION } from '@decision-ledger/proof/presentation/format';
import { TlogError } from '@decision-ledger/proof/tlog/error';
import { parseVerifierKey } from '@decision-ledger/proof/tlog/verifier-key';
import { type Alarm, postAlarm } from '@decision-ledger/watch/alarms';
import { type Checked, checkStatement } from '@decision-ledger/watch/check-statement';
import type { Look } from '@decision-ledger/watch/follow-log';
import { ForkError, keepFork } from '@decision-ledger/watch/fork';
import { KeyChange } from '@decision-ledger/watch/log-key';
import {
  CHAINS,
  type Chain,
  type LogSource,
  logSource,
  SourceError,
} from '@decision-ledger/watch/source';
import { type LogStatement, NoStatement, statementsIn } from '@decision-ledger/watch/statements';
import { Watch, type WatchOutcome } from '@decision-ledger/watch/watch';
import { TextWriter, ZipReader } from '@zip.js/zip.js';
import { systemClock } from '../platform/clock.js';
import { FileSource } from '../platform/zip-source.js';
import { readInput } from './input.js';
import { CommandError, print, printError, printJson } from './output.js';

export interface WatchOptions {
  readonly folder: string;
  readonly logKey?: readonly string[];
  readonly keyFile?: string;
  readonly interval: number;
  readonly staleAfter: number;
  readonly timeout: number;
  readonly webhook?: string;
  readonly once?: boolean;
  readonly json?: boolean;
}

const EXIT: Readonly<Record<WatchOutcome, number>> = { fine: 0, alarm: 3, fork: 4 };
const KEY_BYTES = 1000;

/** Follows the logs of a ledger until it is stopped, or a fork is found. */
export async function watchLogs(url: string, options: WatchOptions): Promise<void> {
  requireKeys(options.logKey ?? []);
  const source = await openSource(url, options);
  const say = options.json === true ? printJson : printLook;
  const watch = await Watch.open({
    ...{ folder: options.folder, source, logKeys: options.logKey ?? [], now: systemClock.now },
    staleAfterMs: options.staleAfter * 1000,
    send: (alarm, state) => report(options, alarm, state),
    onLook: (chain, look) => say(lineOf(chain, look)),
  });
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  for (;;) {
    const outcome = await watch.look().catch(refuseKey);
    if (outcome === 'fork' || options.once === true) {
      process.exitCode = EXIT[outcome];
      return;
    }
    await pause(options.interval * 1000, undefined, { signal: stop.signal }).catch(() => undefined);
    if (stop.signal.aborted) return;
  }
}

function requireKeys(keys: readonly string[]): void {
  for (const key of keys) {
    try {
      parseVerifierKey(key);
    } catch (error) {
      if (error instanceof TlogError) throw new CommandError(`--log-key: ${error.message}`);
      throw error;
    }
  }
}

/** The source of a log, with the key of the options or of the environment. */
export async function openSource(
  url: string,
  { keyFile, timeout }: Pick<WatchOptions, 'keyFile' | 'timeout'>,
) {
  const text = keyFile === undefined ? process.env.LEDGER_KEY : await readInput(keyFile, KEY_BYTES);
  const apiKey = text?.trim() ?? '';
  try {
    const timeoutMs = timeout * 1000;
    return logSource({ url, apiKey: apiKey === '' ? null : apiKey, timeoutMs });
  } catch (error) {
    if (error instanceof TypeError) throw new CommandError(error.message);
    throw error;
  }
}

function refuseKey(error: unknown): never {
  if (error instanceof KeyChange) throw new CommandError(error.message);
  throw error;
}

async function report(
  { webhook, json }: WatchOptions,
  alarm: Alarm,
  state: 'raised' | 'cleared',
): Promise<boolean> {
  const { kind, log, message, since } = alarm;
  if (json === true) printJson({ alarm: kind, state, log, message, since });
  else print(`${state === 'raised' ? 'ALARM' : 'over'}: ${kind}: ${message}`);
  if (webhook === undefined) return true;
  return postAlarm(webhook, alarm, state, (problem) => printError(new CommandError(problem)));
}

interface LookLine {
  readonly at: string;
  readonly chain: Chain;
  readonly size: number | null;
  readonly problems: readonly string[];
}

function lineOf(chain: Chain, { size, alarms }: Look): LookLine {
  return {
    at: new Date(systemClock.now()).toISOString(),
    chain,
    size,
    problems: [...alarms.keys()],
  };
}

function printLook({ at, chain, size, problems }: LookLine): void {
  const records = size === null ? 'no checkpoint' : `${size} records`;
  print(`${at} ${chain}: ${records}${problems.length === 0 ? '' : ` (${problems.join(', ')})`}`);
}

export interface WatchCheckOptions extends Pick<WatchOptions, 'folder' | 'keyFile' | 'timeout'> {
  readonly url?: string;
  readonly json?: boolean;
}

const REFUSED = 1;
const UNPROVEN = 3;
const FORK = 4;

/** Sets exit code 3 if something could not be compared, and 4 if the log contradicts itself. */
export async function watchCheck(file: string, options: WatchCheckOptions): Promise<void> {
  const statements = await read(file);
  const source = options.url === undefined ? NO_SOURCE : await openSource(options.url, options);
  const tools = { folder: options.folder, source, now: systemClock.now };
  try {
    for (const statement of statements) {
      const checked = await checkStatement(tools, statement);
      if (checked.result !== 'agrees') process.exitCode = UNPROVEN;
      show(checked, options);
    }
  } catch (error) {
    if (error instanceof TlogError) {
      process.exitCode = REFUSED;
      show(
        { kind: statements[0]?.kind ?? 'checkpoint', result: 'refused', message: error.message },
        options,
      );
      return;
    }
    if (!(error instanceof ForkError)) throw error;
    await keepFork(options.folder, error.fork);
    process.exitCode = FORK;
    show({ kind: 'checkpoint', result: 'fork', message: error.message }, options);
  }
}

async function read(file: string): Promise<LogStatement[]> {
  try {
    if (file.endsWith('.zip')) return await statementsInBundle(file);
    return statementsIn(await readInput(file, MAX_PRESENTATION));
  } catch (error) {
    if (error instanceof NoStatement) throw new CommandError(error.message);
    if (isOfSystem(error)) throw new CommandError(`the file ${file} cannot be read`);
    throw error;
  }
}

interface Shown extends Pick<Checked, 'kind' | 'message'> {
  readonly result: Checked['result'] | 'refused' | 'fork';
}

function show(checked: Shown, { json }: WatchCheckOptions): void {
  if (json === true) printJson(checked);
  else print(`${checked.kind}: ${checked.result}: ${checked.message}`);
}

/** Without an address, only trees of the same size can be compared. */
const NO_SOURCE: LogSource = {
  checkpoint: refuse,
  verifierKey: refuse,
  tiles: () => refuse,
};

function refuse(): Promise<never> {
  return Promise.reject(new SourceError('give --url to compare trees of different sizes'));
}

/** A checkpoint has a few hundred bytes. */
const MAX_NOTE_BYTES = 64 * 1024;
/** Far more than any bundle has. */
const MAX_ENTRIES = 64;

/**
 * The checkpoints of both logs in the archive of a bundle. Nothing else of the archive is read or verified.
 * @param path of a file
 * @throws NoStatement if the file is no archive, or holds no checkpoints
 */
async function statementsInBundle(path: string): Promise<LogStatement[]> {
  const handle = await open(path);
  try {
    const notes = await readNotes(new ZipReader(new FileSource(handle), OPTIONS));
    return CHAINS.flatMap((chain) => {
      const note = notes.get(`${chain}.checkpoint`);
      if (note !== undefined) return statementsIn(note);
      throw new NoStatement(`the archive has no ${chain}.checkpoint: it is not a complete bundle`);
    });
  } catch (error) {
    if (error instanceof NoStatement || isOfSystem(error)) throw error;
    throw new NoStatement('the file is not a ZIP archive of a bundle', { cause: error });
  } finally {
    await handle.close();
  }
}

const OPTIONS = { useWebWorkers: false };

/** Whether the file could not be opened or read. */
function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

async function readNotes(reader: ZipReader<FileHandle>): Promise<ReadonlyMap<string, string>> {
  const notes = new Map<string, string>();
  const names = new Set(CHAINS.map((chain) => `${chain}.checkpoint`));
  let entries = 0;
  for await (const entry of reader.getEntriesGenerator()) {
    entries += 1;
    if (entries > MAX_ENTRIES) throw new NoStatement('the archive has more entries than a bundle');
    if (entry.directory || !names.has(entry.filename)) continue;
    if (entry.uncompressedSize > MAX_NOTE_BYTES || notes.has(entry.filename)) {
      throw new NoStatement(`${entry.filename} in the archive is not a checkpoint`);
    }
    notes.set(entry.filename, await entry.getData(new TextWriter(), { checkSignature: true }));
  }
  return notes;
}
