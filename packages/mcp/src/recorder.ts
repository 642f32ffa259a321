import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type DecisionToRecord, Ledger, type LedgerOptions } from '@decision-ledger/client';
import { ConfigError } from './config-error.js';

/** What is delivered at the end of a session; the rest stays in the outbox for the next one. */
const CLOSE_MS = 1000;

export interface RecorderOptions {
  readonly environment: NodeJS.ProcessEnv;
  /** Default: a folder in the home folder for this service and mode. */
  readonly outbox?: string;
  readonly mask?: readonly string[];
  /** ms */
  readonly now: () => number;
  /** Receives a text for people. */
  warn(text: string): void;
}

/** The session of the process, and the number of a decision in it, from 1. */
export interface SessionPlace {
  readonly session_id: string;
  readonly session_seq: number;
}

/** Records the decisions of a session without waiting for the ledger. */
export interface SessionRecorder {
  readonly url: string;
  /**
   * @param at when the decision was made, in ms
   * @returns the members of the metadata that identify the decision
   */
  record(decision: DecisionToRecord, at: number): SessionPlace;
  /** Delivers what waits, for at most a second. */
  close(): Promise<void>;
}

/** @throws ConfigError if the environment has no valid address or key */
export function openRecorder(options: RecorderOptions): SessionRecorder {
  const { environment, outbox, mask, warn } = options;
  const url = required(environment, 'LEDGER_URL', 'the address of the service');
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new ConfigError(
      `LEDGER_URL is ${url}: it must be an address such as http://127.0.0.1:8080`,
    );
  }
  const key = required(environment, 'LEDGER_KEY', 'a key with the permission ingest');
  const folder = outbox ?? defaultOutbox(url, key);
  // The client corrects a time of its own if the clock of the machine is ahead, so the time of a decision
  // is given to it as its clock.
  let decidedAt: number | null = null;
  const now = () => decidedAt ?? options.now();
  const ledger = openLedger(
    { url, key, now, ...(mask !== undefined && { mask: { paths: mask } }) },
    folder,
    warn,
  );
  const session = ledger.session();
  return {
    url,
    record(decision, at) {
      decidedAt = at;
      try {
        session.record(decision);
        return { session_id: session.id, session_seq: session.count };
      } finally {
        decidedAt = null;
      }
    },
    async close() {
      // What was lost has been reported.
      await ledger.close({ timeoutMs: CLOSE_MS }).catch(() => undefined);
    },
  };
}

function required(environment: NodeJS.ProcessEnv, name: string, meaning: string): string {
  const value = environment[name]?.trim() ?? '';
  if (value === '') throw new ConfigError(`set ${name} in the environment: ${meaning}`);
  return value;
}

/** A folder serves one ledger, and outlives its keys. */
function defaultOutbox(url: string, key: string): string {
  const [, mode = 'ledger'] = /^[a-z]+_(live|test)_/.exec(key) ?? [];
  const address = createHash('sha256').update(url).digest('hex').slice(0, 12);
  return join(homedir(), '.decision-ledger', 'outbox', `${mode}-${address}`);
}

/** A disk that cannot be used must not stop the agent. */
function openLedger(options: LedgerOptions, outbox: string, warn: (text: string) => void): Ledger {
  try {
    return new Ledger({ ...options, outbox });
  } catch (error) {
    if (error instanceof TypeError) throw error;
    warn(`the outbox ${outbox} cannot be used, decisions are kept in memory alone: ${error}`);
    return new Ledger(options);
  }
}
