import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { type Anchor, Ledger } from '@decision-ledger/client';
import {
  type Environment,
  embeddedEnvironment,
  readKeys,
  startService,
} from '../../../server/test/support/service-process.js';
import { type FaultProxy, startFaultProxy } from './fault-proxy.js';

const PROGRAM = fileURLToPath(new URL('./record-process.js', import.meta.url));

export interface FaultRun {
  /** The numbers in the ledger, in the order of the chain. */
  readonly recorded: readonly number[];
  readonly isValid: boolean;
  readonly counts: FaultProxy['counts'];
  /** Processes that were killed. */
  readonly kills: number;
  /** The largest memory of the last process, in bytes. */
  readonly rss: number;
  readonly retries: number;
  readonly replayed: number;
  /** Decisions that the last process recorded with their time in the metadata. */
  readonly late: number;
  /** Decisions in the ledger whose metadata have the time at which they were made. */
  readonly dated: number;
  /** What is left in the outbox. */
  readonly left: readonly string[];
  /** The last receipt that a next process finds there. */
  readonly anchor: Anchor | null;
  /** Problems other than failed attempts. */
  readonly problems: string;
}

export interface FaultRunOptions {
  readonly decisions: number;
  readonly kills: number;
  readonly random: () => number;
  /** The limit of lateness of the ledger; the decisions are older. Default: none. */
  readonly maxLatenessSeconds?: number;
}

/** Records through a faulty proxy with clients that are killed, and reads the ledger afterwards. */
export async function runWithFaults(options: FaultRunOptions): Promise<FaultRun> {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-faults-'));
  const environment: Environment = embeddedEnvironment(join(folder, 'data'));
  const service = await startService(environment);
  const proxy = await startFaultProxy(service.url, options.random);
  const key = readKeys(join(folder, 'data')).live;
  const direct = new Ledger({ url: service.url, key });
  try {
    await raiseLimits(direct, options.maxLatenessSeconds ?? null);
    const outbox = join(folder, 'outbox');
    const progress = join(folder, 'progress');
    const end = await recordAll([proxy.url, key, outbox, progress], progress, options);
    const found = await read(direct);
    return {
      ...{ ...end, ...found, counts: proxy.counts, kills: options.kills },
      left: readdirSync(outbox).filter((name) => !name.startsWith('anchor-')),
      anchor: new Ledger({ url: service.url, key, outbox }).anchor,
    };
  } finally {
    await proxy.close();
    await service.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function raiseLimits(ledger: Ledger, max_lateness_seconds: number | null): Promise<void> {
  const raised = { batch_per_second: 1e6, read_per_second: 1e6, ingest_per_second: 1e6 };
  await ledger.settings.update({ rate_limits: raised, recording: { max_lateness_seconds } });
}

/** Starts processes and kills each at a random number; the last one ends by itself. */
async function recordAll(
  args: readonly string[],
  progress: string,
  { decisions, kills, random }: FaultRunOptions,
): Promise<Pick<FaultRun, 'rss' | 'retries' | 'replayed' | 'late' | 'problems'>> {
  let next = 1;
  let problems = '';
  for (let round = 0; round <= kills; round += 1) {
    const part = decisions / (kills + 1);
    const killAt = round === kills ? null : Math.floor(part * (round + 0.2 + 0.8 * random()));
    const numbers = [String(next), String(decisions)];
    const { output, errors } = await recordUntil([...args, ...numbers], progress, killAt);
    problems += errors;
    next = Math.max(next, returnedIn(progress) + 1);
    const closed = /closed (.*)\n/.exec(output)?.[1];
    if (closed !== undefined) return { ...JSON.parse(closed), problems };
  }
  throw new Error(`the last process did not close:\n${problems}`);
}

/** The last number whose call has returned. */
function returnedIn(progress: string): number {
  try {
    return Number(readFileSync(progress, 'utf8'));
  } catch {
    return 0;
  }
}

function recordUntil(args: readonly string[], progress: string, killAt: number | null) {
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const watch = setInterval(() => {
    if (killAt !== null && returnedIn(progress) >= killAt) child.kill('SIGKILL');
  }, 2);
  return new Promise<{ readonly output: string; readonly errors: string }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => {
      clearInterval(watch);
      resolve({ output, errors });
    });
  });
}

async function read(ledger: Ledger): Promise<Pick<FaultRun, 'recorded' | 'isValid' | 'dated'>> {
  const found: { readonly seq: number; readonly n: number }[] = [];
  let dated = 0;
  for await (const { seq, inputs, metadata } of ledger.decisions.list({ limit: 500 })) {
    const n = Number(inputs?.n);
    if (metadata?.decided_at === timeOf(n)) dated += 1;
    found.push({ seq, n });
  }
  found.sort((a, b) => a.seq - b.seq);
  const { is_valid, records_checked } = await ledger.verification.decisions();
  return {
    recorded: found.map(({ n }) => n),
    isValid: is_valid && records_checked === found.length,
    dated,
  };
}

/** When a decision was made, as record-process.js dates it. */
function timeOf(n: number): string {
  return new Date(Date.UTC(2026, 0, 1) + n).toISOString();
}
