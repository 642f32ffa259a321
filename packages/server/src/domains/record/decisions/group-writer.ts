import { LedgerError, unavailable } from '@decision-ledger/contract/errors';
import { type Database, sqlState } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { LiabilityModels } from '../../judgement/liability/index.js';
import { type Append, type Appended, commitGroup, type Outcome } from './commit-group.js';

/** Group commit: whatever waits for a ledger when its writer is free goes in one transaction. */
export interface GroupWriter {
  append(scope: Scope, append: Append): Promise<Appended>;
  /** Resolves when nothing waits any more; appends that come later are refused. */
  drain(): Promise<void>;
}

export interface GroupWriterOptions {
  readonly db: Database;
  /** What first estimates are made with. */
  readonly models: LiabilityModels;
  readonly onGroup?: (decisions: number, seconds: number) => void;
  /** Seconds on any clock; for the figures only. */
  readonly stopwatch: () => number;
}

const GROUP = { decisions: 1000, bytes: 16 * 1024 * 1024 };
const QUEUE = { decisions: 20_000, bytes: 128 * 1024 * 1024 };

interface Waiting {
  readonly append: Append;
  readonly bytes: number;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: unknown) => void;
}

interface Queue {
  readonly scope: Scope;
  readonly waiting: Waiting[];
  decisions: number;
  bytes: number;
  done: Promise<void>;
}

export function groupWriter(options: GroupWriterOptions): GroupWriter {
  const queues = new Map<string, Queue>();
  let closed = false;

  function enqueue(scope: Scope, waiting: Waiting): void {
    const queue = queues.get(scope.ledgerId);
    if (queue === undefined) open(scope, waiting);
    else admit(queue, waiting);
  }

  function open(scope: Scope, waiting: Waiting): void {
    const fresh: Queue = { scope, waiting: [], decisions: 0, bytes: 0, done: Promise.resolve() };
    queues.set(scope.ledgerId, fresh);
    admit(fresh, waiting);
    // Begins after this turn of the event loop, so that requests parsed in it share the group.
    fresh.done = new Promise((resolve) => setImmediate(resolve)).then(() => work(fresh));
  }

  async function work(queue: Queue): Promise<void> {
    while (queue.waiting.length > 0) {
      await commitWaiting(options, queue.scope, () => takeGroup(queue));
    }
    queues.delete(queue.scope.ledgerId);
  }

  return {
    append(scope, append) {
      if (closed) return Promise.reject(unavailable('the service is shutting down'));
      const bytes = append.decisions.reduce((sum, decision) => sum + decision.bytes, 0);
      return new Promise((resolve, reject) => {
        enqueue(scope, { append, bytes, resolve, reject });
      });
    },
    async drain() {
      closed = true;
      await Promise.all([...queues.values()].map(({ done }) => done));
    },
  };
}

function admit(queue: Queue, waiting: Waiting): void {
  const { length } = waiting.append.decisions;
  if (queue.decisions + length > QUEUE.decisions || queue.bytes + waiting.bytes > QUEUE.bytes) {
    waiting.reject(unavailable('too many decisions wait to be written'));
    return;
  }
  queue.waiting.push(waiting);
  queue.decisions += length;
  queue.bytes += waiting.bytes;
}

function takeGroup(queue: Queue): Waiting[] {
  let [count, decisions, bytes] = [0, 0, 0];
  for (const { append, bytes: more } of queue.waiting) {
    const fits =
      decisions + append.decisions.length <= GROUP.decisions && bytes + more <= GROUP.bytes;
    if (count > 0 && !fits) break;
    count += 1;
    decisions += append.decisions.length;
    bytes += more;
  }
  queue.decisions -= decisions;
  queue.bytes -= bytes;
  return queue.waiting.splice(0, count);
}

async function commitWaiting(
  options: GroupWriterOptions,
  scope: Scope,
  take: () => readonly Waiting[],
  isRetry = false,
): Promise<void> {
  const started = options.stopwatch();
  let taken: readonly Waiting[] | undefined;
  try {
    const outcomes = await commitGroup(options, scope, () => {
      taken = take();
      return taken.map(({ append }) => append);
    });
    const group = taken ?? [];
    for (const [index, waiting] of group.entries()) settle(waiting, outcomes[index]);
    const decisions = group.reduce((sum, { append }) => sum + append.decisions.length, 0);
    options.onGroup?.(decisions, options.stopwatch() - started);
  } catch (error) {
    const group = taken ?? take();
    if (isRetry || !isFaultOfData(error)) {
      for (const { reject } of group) reject(error);
      return;
    }
    // One of them brought what the database refuses: alone, it fails alone. And an Idempotency-Key
    // that a request about something else took in the meantime is found by the second try.
    for (const waiting of group) await commitWaiting(options, scope, () => [waiting], true);
  }
}

function settle({ resolve, reject }: Waiting, outcome: Outcome | undefined): void {
  if (outcome === undefined) reject(new Error('a request was left without an outcome'));
  else if (outcome instanceof LedgerError) reject(outcome);
  else resolve(outcome);
}

/** Classes of SQLSTATE that blame the statement's values: data, constraints, program limits. */
function isFaultOfData(error: unknown): boolean {
  return /^(22|23|54)/.test(sqlState(error) ?? '');
}
