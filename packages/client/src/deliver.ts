import type { Account } from './account.js';
import type { Entry } from './encode.js';
import { LedgerApiError, type LedgerProblem, messageOf } from './errors.js';
import type { Http } from './http.js';
import type { LargeFields } from './large-fields.js';
import { LIMITS } from './limits.js';
import { nextForm } from './next-form.js';
import {
  type Anchor,
  type BatchAnswer,
  type ReceiptCheck,
  readAnswer,
  readWholeRefusal,
} from './receipts.js';
import { retryAfterOf, retryDelay } from './retry.js';

export interface DeliverTools {
  readonly http: Http;
  readonly large: LargeFields;
  readonly account: Account;
  readonly receipts: ReceiptCheck;
  readonly random: () => number;
  readonly maxRetryMs: number;
  readonly report: (problem: LedgerProblem) => void;
  /** Called for a decision that the service refuses for good, before it is reported. */
  readonly onRefused: (entry: Entry, error: LedgerApiError) => void;
}

/** How a delivery waits and ends. */
export interface DeliveryClock {
  readonly signal: AbortSignal;
  /** @param isFirm whether the service asked for the wait */
  readonly wait: (ms: number, isFirm: boolean) => Promise<void>;
}

/** Codes that blame the content of a request. Any other answer leaves decisions waiting. */
const REFUSALS = new Set([
  'validation_error',
  'malformed_request',
  'payload_too_large',
  'idempotency_conflict',
  'conflict',
  'too_late',
]);

/**
 * Sends a batch until each of its decisions is in the ledger or refused. What the service refuses is refused
 * alone. A batch that is refused as a whole, by its size, is halved.
 * @returns false if the sender was stopped
 */
export async function deliver(
  batch: readonly Entry[],
  tools: DeliverTools,
  clock: DeliveryClock,
): Promise<boolean> {
  const groups: (readonly Entry[])[] = [batch];
  for (let group = groups.pop(); group !== undefined; group = groups.pop()) {
    const outcome = await sendUntilAnswered(group, tools, clock);
    if (outcome === null) return false;
    if ('receipts' in outcome) groups.push(...settle(group, outcome, tools));
    else groups.push(...split(group, outcome, tools));
  }
  return true;
}

interface Answer extends BatchAnswer {
  /** The last receipt when the request was sent. */
  readonly anchor: Anchor | null;
}

/** @returns the answer, or the refusal, or null if the sender was stopped */
async function sendUntilAnswered(
  group: readonly Entry[],
  { http, large, account, receipts, random, maxRetryMs, report }: DeliverTools,
  { signal, wait }: DeliveryClock,
): Promise<Answer | LedgerApiError | null> {
  const request = { method: 'POST', path: '/decisions/batch', prefer: LENIENT, signal } as const;
  let json: string | null = null;
  for (let failed = 1; ; failed += 1) {
    if (signal.aborted) return null;
    const { anchor } = receipts;
    try {
      json ??= await writeBatch(group, large, signal);
      return { ...readAnswer(await http.send({ ...request, json }), group.length), anchor };
    } catch (error) {
      if (signal.aborted) return null;
      // While there is no body, an upload was refused, and no decision.
      const refusal = json === null ? null : readRefused(error, group.length);
      if (refusal !== null) return 'receipts' in refusal ? { ...refusal, anchor } : refusal;
      account.retries += 1;
      report({ kind: 'delivery', message: messageOf(error), decisions: group.length, error });
      const delays = { firstMs: LIMITS.firstRetryMs, maxMs: maxRetryMs };
      await wait(retryDelay(failed, error, random, delays), retryAfterOf(error) !== null);
    }
  }
}

/** The body of a batch, after what is too large for it was uploaded. */
async function writeBatch(
  group: readonly Entry[],
  large: LargeFields,
  signal: AbortSignal,
): Promise<string> {
  const texts: string[] = [];
  for (const { json, instead, isRenewed = false } of group) {
    texts.push(await large.fit({ json: instead?.json ?? json, isRenewed }, { signal }));
  }
  return `{"decisions":[${texts.join(',')}]}`;
}

/** Decisions that are refused do not affect the others. */
const LENIENT = 'handling=lenient';

/** @returns what a batch, or each of its decisions, is refused with; null if it may be sent again as it is */
function readRefused(error: unknown, count: number): BatchAnswer | LedgerApiError | null {
  if (!(error instanceof LedgerApiError)) return null;
  // Proxies limit the size of bodies with an answer of their own.
  const isRefusal = error.status === 413 || REFUSALS.has(error.code);
  return readWholeRefusal(error, count) ?? (isRefusal ? error : null);
}

/** Counts what was recorded. @returns what to send in another form, as groups */
function settle(
  group: readonly Entry[],
  { receipts, refused, anchor }: Answer,
  tools: DeliverTools,
): (readonly Entry[])[] {
  const { account, receipts: check, report } = tools;
  const recorded = group.filter((_, index) => !refused.has(index));
  account.accepted += receipts.length;
  account.replayed += receipts.filter(({ replayed }) => replayed).length;
  account.late += recorded.filter(({ instead }) => instead?.form === 'late').length;
  const problem = check.takeBatch(receipts, anchor);
  if (problem !== null) report({ kind: 'receipt', message: problem, decisions: receipts.length });
  const again = group.flatMap((entry, index) => {
    const error = refused.get(index);
    return error === undefined ? [] : giveUp(entry, error, tools);
  });
  return again.length === 0 ? [] : [again];
}

/** Halves a batch that was refused as a whole. @returns the groups to send next, the last one first */
function split(
  group: readonly Entry[],
  error: LedgerApiError,
  tools: DeliverTools,
): (readonly Entry[])[] {
  const [only, ...others] = group;
  if (only !== undefined && others.length === 0) {
    const again = giveUp(only, error, tools);
    return again.length === 0 ? [] : [again];
  }
  const middle = Math.ceil(group.length / 2);
  return [group.slice(middle), group.slice(0, middle)];
}

/** Sends the decision in another form, if there is one, and loses it otherwise. */
function giveUp(entry: Entry, error: LedgerApiError, tools: DeliverTools): Entry[] {
  const next = nextForm(entry, error);
  if (next !== null) return [next];
  tools.onRefused(entry, error);
  tools.report({
    kind: 'refused',
    message: messageOf(error),
    decisions: 1,
    decision: entry.json,
    error,
  });
  return [];
}
