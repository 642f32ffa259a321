import type { ErrorCode } from './api/errors.js';

export type { ErrorCode } from './api/errors.js';

/** What an error of the service says, beyond its message. */
export interface ApiErrorDetails {
  /** The problems of each field, by its path, such as `decisions[3].confidence`. */
  readonly fields?: Readonly<Record<string, readonly string[]>>;
  readonly [name: string]: unknown;
}

/**
 * The service refused a request.
 *
 * @example
 * ```ts
 * import { Ledger, LedgerApiError } from '@decision-ledger/client';
 *
 * async function agentOf(ledger: Ledger, id: string): Promise<string | null> {
 *   try {
 *     return (await ledger.decisions.get(id)).agent_id;
 *   } catch (error) {
 *     if (error instanceof LedgerApiError && error.code === 'not_found') return null;
 *     throw error;
 *   }
 * }
 * ```
 */
export class LedgerApiError extends Error {
  override readonly name = 'LedgerApiError';

  /**
   * @param code the code of the service; `unknown` if something else answered, such as a proxy
   * @param status HTTP status
   * @param requestId identifies the request in the logs of the service
   * @param retryAfterMs how long the service asks to wait
   */
  constructor(
    readonly code: ErrorCode | 'unknown',
    message: string,
    readonly status: number,
    readonly details: ApiErrorDetails = {},
    readonly requestId: string | null = null,
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
  }
}

/**
 * No usable answer arrived: the connection failed, timed out, or ended within the answer.
 *
 * @example
 * ```ts
 * import { LedgerConnectionError } from '@decision-ledger/client';
 *
 * new LedgerConnectionError('the service did not answer within 30000 ms').name;
 * // => 'LedgerConnectionError'
 * ```
 */
export class LedgerConnectionError extends Error {
  override readonly name = 'LedgerConnectionError';
}

/**
 * The client is disabled by LEDGER_DISABLED or by its option, so no receipt exists.
 *
 * @example
 * ```ts
 * import { LedgerDisabledError } from '@decision-ledger/client';
 *
 * new LedgerDisabledError().message;
 * // => 'the client is disabled: nothing is recorded'
 * ```
 */
export class LedgerDisabledError extends Error {
  override readonly name = 'LedgerDisabledError';

  constructor() {
    super('the client is disabled: nothing is recorded');
  }
}

/**
 * An export did not become a file.
 *
 * @example
 * ```ts
 * import { LedgerExportError } from '@decision-ledger/client';
 *
 * new LedgerExportError('exp_1', 'failed', 'the disk is full').message;
 * // => 'export exp_1: failed: the disk is full'
 * ```
 */
export class LedgerExportError extends Error {
  override readonly name = 'LedgerExportError';

  constructor(
    readonly exportId: string,
    readonly status: 'failed' | 'expired' | 'damaged',
    reason: string,
  ) {
    super(`export ${exportId}: ${status}: ${reason}`);
  }
}

/** What became of recorded decisions. */
export interface DeliveryReport {
  /** In the ledger, with a receipt. */
  readonly accepted: number;
  /** In memory or in the outbox, still to be delivered. */
  readonly pending: number;
  /** Not in the ledger, and not going to be: refused, dropped, or unreadable in the outbox. */
  readonly failed: number;
}

/**
 * Decisions are not in the ledger and will not be delivered. Thrown by `flush` and `close`.
 *
 * @example
 * ```ts
 * import { DecisionsLostError } from '@decision-ledger/client';
 *
 * const error = new DecisionsLostError({ accepted: 9, pending: 0, failed: 1 }, []);
 * error.message; // => '1 of 10 decisions were lost'
 * error.report.failed; // => 1
 * ```
 */
export class DecisionsLostError extends Error {
  override readonly name = 'DecisionsLostError';

  /** @param causes the first problems that were reported, at most ten */
  constructor(
    readonly report: DeliveryReport,
    readonly causes: readonly LedgerProblem[],
  ) {
    const total = report.accepted + report.pending + report.failed;
    const first = causes[0] === undefined ? '' : `: ${causes[0].message}`;
    super(`${report.failed} of ${total} decisions were lost${first}`);
  }
}

/**
 * The kinds of problems:
 * - `refused`: the service refuses the decision for good
 * - `dropped`: it could not be kept: memory is full, or the client is closed
 * - `payload_dropped`: it is kept without its payload, because the mask threw
 * - `delivery`: the service cannot be reached or rejects the key; decisions wait
 * - `receipt`: a receipt contradicts the earlier ones
 * - `unreadable`: a record of the outbox is damaged
 * - `outbox`: the outbox cannot be written or read; decisions wait in memory
 * - `internal`: a fault of this client; it continues
 */
export type ProblemKind =
  | 'refused'
  | 'dropped'
  | 'payload_dropped'
  | 'delivery'
  | 'receipt'
  | 'unreadable'
  | 'outbox'
  | 'internal';

/** A problem that the client reports to `onError`. */
export interface LedgerProblem {
  readonly kind: ProblemKind;
  /** Contains no payload and no key. */
  readonly message: string;
  /** Number of decisions that it concerns. */
  readonly decisions: number;
  /** The decision as JSON, after the mask: for `refused` and `dropped`. */
  readonly decision?: string;
  readonly error?: unknown;
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    // Anything can be thrown, also what has no text.
    return typeof error;
  }
}
