import type { BucketPlace } from './address.js';
import { FileStoreError, type FileStoreProblem } from './file-store-error.js';

const REFUSED = [
  'AccessDenied',
  'ExpiredToken',
  'InvalidAccessKeyId',
  'InvalidToken',
  'RequestExpired',
  'SignatureDoesNotMatch',
];
const MOVED = ['AuthorizationHeaderMalformed', 'IllegalLocationConstraintException'];
const FULL = ['EntityTooLarge', 'InsufficientStorage', 'QuotaExceeded', 'XMinioStorageFull'];

/**
 * Explains a client error to the operator. The error itself is dropped, because it contains the signed
 * request.
 */
export function bucketFailure(place: BucketPlace, error: unknown): FileStoreError {
  if (error instanceof FileStoreError) return error;
  const { name, status, code } = traitsOf(error);
  const where = `the bucket ${place.bucket} at ${hostOf(place)}`;
  const fail = (problem: FileStoreProblem, text: string) =>
    new FileStoreError(problem, `${where} ${text}`);
  if (name === 'NoSuchBucket') {
    return fail('missing', 'does not exist: create it, or set another in LEDGER_FILES_URL');
  }
  if (MOVED.includes(name) || status === 301) {
    return fail('missing', 'is in another region: set that region in LEDGER_FILES_URL');
  }
  if (name === 'RequestTimeTooSkewed') {
    return fail(
      'credentials',
      'has a different time than this machine: set the clock of this machine',
    );
  }
  if (REFUSED.includes(name) || status === 401 || status === 403) {
    const remedy = 'check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and their permissions';
    return fail('credentials', `refused the credentials (${name}): ${remedy}`);
  }
  if (FULL.includes(name) || status === 507) return fail('full', `has no space left (${name})`);
  if (status !== undefined) return fail('failed', `answered ${status} (${name})`);
  if (code !== undefined || name === 'TimeoutError') {
    return fail('unreachable', `cannot be reached (${code ?? name}): check the endpoint`);
  }
  return fail('failed', `could not be used (${name})`);
}

export function isMissingObject(error: unknown): boolean {
  return traitsOf(error).name === 'NoSuchKey';
}

interface Traits {
  /** The server's error code, or the name of a local error. */
  readonly name: string;
  /** Undefined without a response. */
  readonly status: number | undefined;
  /** A system error code, such as ECONNREFUSED. */
  readonly code: string | undefined;
}

function traitsOf(error: unknown): Traits {
  if (!(error instanceof Error)) return { name: 'unknown', status: undefined, code: undefined };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const name = /^[A-Za-z0-9]{1,60}$/.test(error.name) ? error.name : 'unknown';
  return { name, status: statusOf(error), code };
}

function statusOf(error: Error): number | undefined {
  if (!('$metadata' in error)) return undefined;
  const metadata = error.$metadata;
  if (typeof metadata !== 'object' || metadata === null) return undefined;
  if (!('httpStatusCode' in metadata)) return undefined;
  return typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : undefined;
}

function hostOf({ endpoint, region }: BucketPlace): string {
  return endpoint === null ? `AWS ${region}` : new URL(endpoint).host;
}
