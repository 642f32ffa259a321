import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import {
  type _Object,
  DeleteObjectCommand,
  GetObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { BucketAddress, BucketPlace } from './address.js';
import {
  checkName,
  checkPrefix,
  type FileStore,
  FileStoreError,
  type FileStoreProblem,
  isFileName,
  type StoredFile,
} from './store.js';

/** Size of an upload part; two are in memory at a time. S3 accepts at most 10,000 parts. */
const PART_BYTES = 8 * 1024 * 1024;
const MAX_PARTS = 10_000;
const PARTS_AT_ONCE = 2;

const ATTEMPTS = 4;

/** Timeouts in ms. */
export interface Waits {
  readonly connect: number;
  /** Until a part is sent and answered, or a response begins. */
  readonly request: number;
  /** Without any data transferred; the reader may be slow. */
  readonly idle: number;
}

const WAITS: Waits = { connect: 5000, request: 60_000, idle: 120_000 };

/** A file store in a bucket of S3 or a compatible server. */
export function openBucket(address: BucketAddress, waits: Waits = WAITS): FileStore {
  const { bucket: Bucket, prefix } = address;
  const client = connect(address, waits);
  const attempt = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw bucketFailure(address, error);
    }
  };
  return {
    async put(name, path) {
      checkName(name);
      await upload(client, { Bucket, Key: `${prefix}${name}` }, path, attempt);
    },
    async read(name) {
      checkName(name);
      const command = new GetObjectCommand({ Bucket, Key: `${prefix}${name}` });
      const answer = await attempt(() => client.send(command).catch(nullIfMissing));
      if (answer === null) return null;
      const { Body: stream, ContentLength: bytes } = answer;
      if (stream instanceof Readable && bytes !== undefined) return { bytes, stream };
      throw new FileStoreError('failed', `the bucket ${Bucket} answered without a content length`);
    },
    async delete(name) {
      checkName(name);
      const command = new DeleteObjectCommand({ Bucket, Key: `${prefix}${name}` });
      await attempt(() => client.send(command).catch(nullIfMissing));
    },
    async *list(start) {
      checkPrefix(start);
      const pages = paginateListObjectsV2({ client }, { Bucket, Prefix: `${prefix}${start}` });
      for (;;) {
        const { value: page, done } = await attempt(() => pages.next());
        if (done === true) return;
        for (const object of page?.Contents ?? []) {
          const file = describe(object, prefix);
          if (file !== null) yield file;
        }
      }
    },
    close: async () => client.destroy(),
  };
}

function connect(
  { endpoint, region, pathStyle, credentials }: BucketAddress,
  waits: Waits,
): S3Client {
  return new S3Client({
    ...(endpoint !== null && { endpoint }),
    region,
    credentials: { ...credentials },
    forcePathStyle: pathStyle,
    maxAttempts: ATTEMPTS,
    // The signature covers a hash of the content; many servers do not support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: waits.connect,
      requestTimeout: waits.request,
      throwOnRequestTimeout: true,
      socketTimeout: waits.idle,
    },
  });
}

type Attempt = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** A failed upload is aborted, so that it is never visible and its parts are removed if possible. */
async function upload(
  client: S3Client,
  place: { readonly Bucket: string; readonly Key: string },
  path: string,
  attempt: Attempt,
): Promise<void> {
  const { size } = await stat(path);
  const Body = createReadStream(path, { highWaterMark: 1024 * 1024 });
  try {
    await attempt(() =>
      new Upload({
        client,
        params: { ...place, Body, ContentType: 'application/octet-stream' },
        partSize: Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS)),
        queueSize: PARTS_AT_ONCE,
      }).done(),
    );
  } finally {
    Body.destroy();
  }
}

function nullIfMissing(error: unknown): null {
  if (isMissingObject(error)) return null;
  throw error;
}

/** Returns null for objects that the service did not create. */
function describe({ Key = '', LastModified, Size }: _Object, prefix: string): StoredFile | null {
  const name = Key.slice(prefix.length);
  if (!isFileName(name) || LastModified === undefined || Size === undefined) return null;
  return { name, modifiedAt: LastModified.getTime(), bytes: Size };
}

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
function bucketFailure(place: BucketPlace, error: unknown): FileStoreError {
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

function isMissingObject(error: unknown): boolean {
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
