import { setTimeout as pause } from 'node:timers/promises';
import { TlogError } from '@decision-ledger/proof/tlog/error';
import { parseVerifierKey } from '@decision-ledger/proof/tlog/verifier-key';
import { type Alarm, postAlarm } from '@decision-ledger/watch/alarms';
import type { Look } from '@decision-ledger/watch/follow-log';
import { KeyChange } from '@decision-ledger/watch/log-key';
import { type Chain, logSource } from '@decision-ledger/watch/source';
import { Watch, type WatchOutcome } from '@decision-ledger/watch/watch';
import { systemClock } from '../platform/clock.js';
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
