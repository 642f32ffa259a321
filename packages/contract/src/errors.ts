import { LIMITS } from './limits.js';

/** Every error code of the API with its HTTP status. A check compares the docs with this table. */
export const ERROR_STATUS = {
  malformed_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  idempotency_conflict: 409,
  invalid_state: 409,
  export_not_ready: 409,
  gone: 410,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  expectation_failed: 417,
  validation_error: 422,
  too_late: 422,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** `fields` maps the path of a field (`decisions[3].confidence`) to its problems. */
export interface ErrorDetails {
  readonly fields?: Readonly<Record<string, readonly string[]>>;
  readonly [name: string]: unknown;
}

export interface ErrorOptions {
  readonly details?: ErrorDetails;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/**
 * An error whose code, message and details may be shown to the caller.
 *
 * @example
 * ```ts
 * import { LedgerError } from '@decision-ledger/contract/errors';
 *
 * const error = new LedgerError('conflict', 'the export is being deleted');
 * error.status; // => 409
 * ```
 */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';
  readonly details: ErrorDetails | undefined;
  /** Header fields of the HTTP response, such as `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: ErrorCode,
    message: string,
    options: ErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.details = options.details;
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/**
 * A `validation_error` about one field.
 *
 * @example
 * ```ts
 * import { invalidField } from '@decision-ledger/contract/errors';
 *
 * invalidField('confidence', 'must be from 0 to 1').details;
 * // => { fields: { confidence: ['must be from 0 to 1'] } }
 * ```
 */
export function invalidField(path: string, problem: string): LedgerError {
  return invalidFields({ [path]: [problem] });
}

/**
 * A `validation_error` about several fields. The number of fields and their length are limited.
 *
 * @example
 * ```ts
 * import { invalidFields } from '@decision-ledger/contract/errors';
 *
 * invalidFields({ agent_id: ['is required'], confidence: ['must be from 0 to 1'] }).message;
 * // => 'the request is not valid: see agent_id, confidence'
 * ```
 */
export function invalidFields(fields: Readonly<Record<string, readonly string[]>>): LedgerError {
  const shown = Object.entries(fields)
    .slice(0, LIMITS.errorFields)
    .map(([path, problems]): [string, readonly string[]] => [shortened(path), problems]);
  const paths = shown.map(([path]) => path);
  const named = paths.slice(0, 3).join(', ') + (paths.length > 3 ? ', …' : '');
  return new LedgerError('validation_error', `the request is not valid: see ${named}`, {
    details: { fields: Object.fromEntries(shown) },
  });
}

/**
 * A `too_late` error: nothing of the request is recorded. The number of fields is limited.
 *
 * @param paths of the timestamps
 * @param seconds the limit
 * @param outcome what it means, such as `nothing was recorded`
 *
 * @example
 * ```ts
 * import { tooLate } from '@decision-ledger/contract/errors';
 *
 * const error = tooLate(['decisions[3].timestamp'], 86_400);
 * error.status; // => 422
 * Object.keys(error.details?.fields ?? {}); // => ['decisions[3].timestamp']
 * ```
 */
export function tooLate(
  paths: readonly string[],
  seconds: number,
  outcome = 'nothing was recorded',
): LedgerError {
  const problem =
    `must not be more than ${seconds} seconds before the time of recording ` +
    '(recording.max_lateness_seconds in the settings): leave timestamp out, and put the time into ' +
    'metadata.decided_at';
  const shown = paths.slice(0, LIMITS.errorFields);
  return new LedgerError('too_late', `${outcome}: ${shown[0] ?? 'timestamp'} ${problem}`, {
    details: { fields: Object.fromEntries(shown.map((path) => [path, [problem]])) },
  });
}

/** Names come from the caller and may be as long as a body. */
const LONGEST_PATH = 300;

function shortened(path: string): string {
  if (path.length <= LONGEST_PATH) return path;
  // A cut must not leave half of a surrogate pair.
  return `${path.slice(0, LONGEST_PATH).replace(/[\ud800-\udbff]$/, '')}…`;
}

/**
 * The same answer for missing, unknown, revoked and expired keys.
 *
 * @example
 * ```ts
 * import { unauthorized } from '@decision-ledger/contract/errors';
 *
 * unauthorized().status; // => 401
 * ```
 */
export function unauthorized(): LedgerError {
  return new LedgerError('unauthorized', 'invalid or missing api key');
}

/**
 * @param retryAfter whole seconds after which the caller should retry
 *
 * @example
 * ```ts
 * import { unavailable } from '@decision-ledger/contract/errors';
 *
 * unavailable('the database is restarting', 5).headers; // => { 'retry-after': '5' }
 * ```
 */
export function unavailable(message: string, retryAfter = 1, cause?: unknown): LedgerError {
  return new LedgerError('unavailable', message, {
    headers: { 'retry-after': String(retryAfter) },
    cause,
  });
}

/**
 * A `not_found` error. `what` names the kind of record.
 *
 * @example
 * ```ts
 * import { notFound } from '@decision-ledger/contract/errors';
 *
 * notFound('decision').message; // => 'no such decision'
 * ```
 */
export function notFound(what: string): LedgerError {
  return new LedgerError('not_found', `no such ${what}`);
}
