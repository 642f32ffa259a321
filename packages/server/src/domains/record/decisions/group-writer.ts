import { LedgerError, unavailable } from '@decision-ledger/contract/errors';
import type { Settings } from '@decision-ledger/contract/settings';
import type { Database } from '../../../platform/database.js';
import { sqlState } from '../../../platform/failures.js';
import type { Scope } from '../../../platform/principal.js';
import type { FirstEstimates } from '../hooks/index.js';
import type { Append } from './decide-steps.js';
import type { Appended, AppendOutcome } from './plan-group.js';
import { writeGroup } from './write-group.js';

/** Group commit: all requests that wait for a ledger are written in one transaction. */
export interface GroupWriter {
  append(scope: Scope, append: Append): Promise<Appended>;
  /** Resolves when the queues are empty; later appends are refused. */
  drain(): Promise<void>;
}

export interface GroupWriterOptions {
  readonly db: Database;
  readonly estimates: FirstEstimates;
  readonly settings: { get(scope: Scope): Promise<Settings> };
  readonly onGroup?: OnGroup;
  /** Seconds since any fixed moment; used by the metrics alone. */
  readonly stopwatch: () => number;
}

const MAX_GROUP = { decisions: 1000, bytes: 16 * 1024 * 1024 };
const MAX_QUEUE = { decisions: 20_000, bytes: 128 * 1024 * 1024 };

/** The requests that wait for one ledger. */
interface Queue {
  readonly scope: Scope;
  readonly members: Member[];
  decisions: number;
  bytes: number;
  done: Promise<void>;
}

export function groupWriter(options: GroupWriterOptions): GroupWriter {
  const queues = new Map<string, Queue>();
  let closed = false;

  function enqueue(scope: Scope, member: Member): void {
    const queue = queues.get(scope.ledgerId);
    if (queue === undefined) open(scope, member);
    else admit(queue, member);
  }

  function open(scope: Scope, member: Member): void {
    const fresh: Queue = { scope, members: [], decisions: 0, bytes: 0, done: Promise.resolve() };
    queues.set(scope.ledgerId, fresh);
    admit(fresh, member);
    // Starts after this turn of the event loop, so that requests parsed in it share the group.
    fresh.done = new Promise((resolve) => setImmediate(resolve)).then(() => work(fresh));
  }

  async function work(queue: Queue): Promise<void> {
    while (queue.members.length > 0) {
      await commitGroup(options, queue.scope, () => takeGroup(queue));
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

function admit(queue: Queue, member: Member): void {
  const decisions = queue.decisions + member.append.decisions.length;
  const bytes = queue.bytes + member.bytes;
  if (decisions > MAX_QUEUE.decisions || bytes > MAX_QUEUE.bytes) {
    member.reject(unavailable('too many decisions are waiting to be written'));
    return;
  }
  queue.members.push(member);
  queue.decisions = decisions;
  queue.bytes = bytes;
}

function takeGroup(queue: Queue): Member[] {
  let [count, decisions, bytes] = [0, 0, 0];
  for (const { append, bytes: more } of queue.members) {
    const fits =
      decisions + append.decisions.length <= MAX_GROUP.decisions && bytes + more <= MAX_GROUP.bytes;
    if (count > 0 && !fits) break;
    count += 1;
    decisions += append.decisions.length;
    bytes += more;
  }
  queue.decisions -= decisions;
  queue.bytes -= bytes;
  return queue.members.splice(0, count);
}

/** Plans and writes a group, then settles its members. */
async function commitGroup(
  options: GroupWriterOptions,
  scope: Scope,
  take: () => readonly Member[],
  isRetry = false,
): Promise<void> {
  const started = options.stopwatch();
  let taken: readonly Member[] | undefined;
  try {
    const outcomes = await writeGroup(options.db.ledger(scope), options, () => {
      taken = take();
      return taken.map(({ append }) => append);
    });
    settleGroup(taken ?? [], outcomes, options.stopwatch() - started, options.onGroup);
  } catch (error) {
    const members = taken ?? take();
    if (isRetry || !isFaultOfData(error)) {
      rejectGroup(members, error);
      return;
    }
    // One member has a value that the database refuses: written alone, it fails alone. The retry also
    // finds an Idempotency-Key that a request outside this chain used in the meantime.
    for (const member of members) await commitGroup(options, scope, () => [member], true);
  }
}

/** Classes of SQLSTATE that blame the statement's values: data, constraints, program limits. */
function isFaultOfData(error: unknown): boolean {
  return /^(22|23|54)/.test(sqlState(error) ?? '');
}

/** A request that waits for its group to be written. */
interface Member {
  readonly append: Append;
  readonly bytes: number;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: unknown) => void;
}

/** Called after each group that was written. */
type OnGroup = (decisions: number, seconds: number) => void;

/**
 * Answers each member of a group that was written, and announces the group.
 * @param outcomes one for each member, in order
 */
function settleGroup(
  members: readonly Member[],
  outcomes: readonly AppendOutcome[],
  seconds: number,
  onGroup: OnGroup | undefined,
): void {
  let decisions = 0;
  for (const [index, member] of members.entries()) {
    settle(member, outcomes[index]);
    decisions += member.append.decisions.length;
  }
  onGroup?.(decisions, seconds);
}

function settle({ resolve, reject }: Member, outcome: AppendOutcome | undefined): void {
  if (outcome === undefined) reject(new Error('a request was left without an outcome'));
  else if (outcome instanceof LedgerError) reject(outcome);
  else resolve(outcome);
}

/** Fails every member of a group that was not written. */
function rejectGroup(members: readonly Member[], error: unknown): void {
  for (const { reject } of members) reject(error);
}
