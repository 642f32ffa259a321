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
import type { BucketAddress } from './address.js';
import { bucketFailure, isMissingObject } from './bucket-failure.js';
import { FileStoreError } from './file-store-error.js';
import { checkName, checkPrefix, isFileName } from './name.js';
import type { FileStore, StoredFile } from './store.js';

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
