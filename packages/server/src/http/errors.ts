import { type ErrorCode, invalidField, LedgerError } from '@decision-ledger/contract/errors';
import { GateError } from '@decision-ledger/proof/gate';
import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { spaced } from '../platform/coalesce.js';
import { DamagedError, reasonOf } from '../platform/failures.js';
import { redactKeys } from '../platform/secrets.js';

const JSON_TYPE = 'application/json; charset=utf-8';

export interface ErrorBody {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly details?: LedgerError['details'];
  };
}

/** The body of an error response. It discloses nothing but the public parts of the error. */
export function errorBody({ code, message, details }: LedgerError): ErrorBody {
  return { error: { code, message, ...(details !== undefined && { details }) } };
}

/** The same error without keys: one in the wrong place could be echoed as the name of an unknown field. */
export function withoutKeys<Described extends object>(error: Described): Described {
  return JSON.parse(redactKeys(JSON.stringify(error)));
}

/** Answers any error in the envelope. Unexpected errors are logged and answered with 500. */
export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const shown = shownError(error, request);
  // A key sent in the wrong place could otherwise be echoed as the name of an unknown field.
  const body = redactKeys(JSON.stringify(errorBody(shown)));
  void reply.code(shown.status).headers(shown.headers).type(JSON_TYPE).send(body);
}

/** What an error may disclose. Errors of the service are logged. */
export function shownError(error: unknown, request: FastifyRequest): LedgerError {
  const shown = publicError(error);
  // Damage is logged once, when it is found.
  if (error instanceof DamagedError) return shown;
  if (shown.code === 'unavailable') logRefusal(request.server.log, causesOf(shown));
  else if (shown.status >= 500) request.log.error({ err: error }, 'request failed');
  return shown;
}

function causesOf({ message, cause }: LedgerError): string {
  return cause === undefined ? message : `${message}: ${reasonOf(cause)}`;
}

function publicError(error: unknown): LedgerError {
  if (error instanceof LedgerError) return error;
  if (error instanceof GateError) return gateError(error);
  const { code, statusCode } = asFastifyError(error);
  const known = FRAMEWORK_ERRORS.get(code ?? '');
  if (known !== undefined) return new LedgerError(...known);
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new LedgerError('malformed_request', 'the request cannot be read');
  }
  return new LedgerError('internal_error', 'an internal error occurred and was logged', {
    cause: error,
  });
}

const FRAMEWORK_ERRORS = new Map<string, [ErrorCode, string]>([
  [
    'FST_ERR_CTP_INVALID_MEDIA_TYPE',
    ['unsupported_media_type', 'send JSON with Content-Type: application/json'],
  ],
  ['FST_ERR_BAD_URL', ['malformed_request', 'the URL is not well formed']],
  ['FST_ERR_NOT_FOUND', ['not_found', 'no such path']],
]);

function asFastifyError(error: unknown): Partial<Pick<FastifyError, 'code' | 'statusCode'>> {
  if (!(error instanceof Error)) return {};
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const status =
    'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : undefined;
  return {
    ...(code !== undefined && { code }),
    ...(status !== undefined && { statusCode: status }),
  };
}

/** The error of a text that the gate refuses. */
export function gateError({ kind, path, message }: GateError): LedgerError {
  if (kind === 'syntax') {
    const text = message.charAt(0).toLowerCase() + message.slice(1).replace(/\.$/, '');
    return new LedgerError('malformed_request', text);
  }
  if (kind === 'oversized') return new LedgerError('payload_too_large', message);
  return invalidField(path === '' ? 'body' : path, message);
}

/** How often a reason is logged while it lasts. */
const INTERVAL_MS = 10_000;

const logs = new WeakMap<FastifyBaseLogger, (reason: string) => void>();

/**
 * Logs that a request was refused because the service could not serve it. Under load or while the
 * database is away that happens to every request, so each reason gets a line now and then, with a count.
 */
function logRefusal(log: FastifyBaseLogger, reason: string): void {
  const note = logs.get(log) ?? openLog(log);
  logs.set(log, note);
  note(reason);
}

function openLog(log: FastifyBaseLogger): (reason: string) => void {
  const counts = new Map<string, number>();
  const lines = spaced((reason) => {
    const requests = counts.get(reason) ?? 0;
    counts.delete(reason);
    log.warn({ reason, requests }, 'requests were refused');
  }, INTERVAL_MS);
  return (reason) => {
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
    lines.call(reason);
  };
}
