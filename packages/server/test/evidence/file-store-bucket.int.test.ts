import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBucket } from '#server/platform/files/bucket';
import { openFileStore } from '#server/platform/files/open';
import type { FileStore } from '#server/platform/files/store';
import { freePort } from '../support/free-port.js';
import {
  contentOf,
  fileStoreSuite,
  namesIn,
  openWorkshop,
  type Workshop,
} from './support/file-store-suite.js';
import { describeMoto, type Moto, startMoto } from './support/moto.js';
import { type S3Server, startS3Server } from './support/s3-server.js';

const MIB = 1024 * 1024;

interface Place {
  readonly bucket?: string;
  readonly secret?: string;
  readonly sessionToken?: string;
}

function openOn(
  { url, keyId, secret }: Pick<S3Server, 'url' | 'keyId' | 'secret'>,
  { bucket = 'bundles', ...place }: Place = {},
): Promise<FileStore> {
  return openFileStore({
    ...{ kind: 's3', bucket, prefix: 'ledger/one/', endpoint: url, region: 'us-east-1' },
    pathStyle: true,
    credentials: { accessKeyId: keyId, secretAccessKey: secret, ...renamed(place) },
  });
}

function renamed({ secret, sessionToken }: Place) {
  return {
    ...(secret !== undefined && { secretAccessKey: secret }),
    ...(sessionToken !== undefined && { sessionToken }),
  };
}

describe('Bucket store', () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await startS3Server('bundles');
  });
  afterAll(() => server.die());
  fileStoreSuite(() => openOn(server));
});

describeMoto('Bucket store on moto', () => {
  let server: Moto;
  beforeAll(async () => {
    server = await startMoto('bundles', await freePort());
  });
  afterAll(() => server.stop());
  fileStoreSuite(() => openOn(server));

  it('A wrong secret is refused by moto', async () => {
    const store = await openOn(server, { secret: 'wrong' });
    await expect(store.read('exp_a.zip')).rejects.toMatchObject({ problem: 'credentials' });
    await store.close();
  });
});

describe('Uploads to a bucket', () => {
  let server: S3Server;
  let store: FileStore;
  let workshop: Workshop;
  beforeEach(async () => {
    server = await startS3Server('bundles');
    store = await openOn(server);
    workshop = openWorkshop();
    return async () => {
      await store.close();
      await server.die();
      workshop.remove();
    };
  });

  const calls = (name: string) => server.log.filter(({ call }) => call === name);
  const PART = 'PUT partNumber uploadId x-id';

  it('An upload sends two parts of 8 MiB at a time, under the prefix', async () => {
    await store.put('exp_a.zip', workshop.file(Buffer.alloc(41 * MIB, 1)));
    const sizes = calls(PART).map(({ bytes }) => bytes);
    expect(sizes.sort((a, b) => b - a)).toEqual([...Array(5).fill(8 * MIB), MIB]);
    expect(server.mostPartsAtOnce()).toBeLessThanOrEqual(2);
    expect(server.keys()).toEqual(['ledger/one/exp_a.zip']);
  });

  it('An upload survives intermittent server failures', async () => {
    const seen = new Set<string>();
    server.fault = (call) => {
      if (seen.has(call)) return undefined;
      seen.add(call);
      return seen.size % 2 === 0 ? 503 : 'cut';
    };
    await store.put('exp_a.zip', workshop.file(Buffer.alloc(9 * MIB, 1)));
    expect((await contentOf(store, 'exp_a.zip'))?.length).toBe(9 * MIB);
    await store.delete('exp_a.zip');
    expect(await namesIn(store)).toEqual([]);
    expect(seen.size).toBeGreaterThan(4);
  });

  it('A failed upload leaves nothing and keeps the previous file', async () => {
    await store.put('exp_a.zip', workshop.file('as it was'));
    server.fault = (call) => (call === PART ? 500 : undefined);
    const put = store.put('exp_a.zip', workshop.file(Buffer.alloc(20 * MIB, 1)));
    await expect(put).rejects.toMatchObject({
      problem: 'failed',
      message: expect.stringMatching(/^the bucket bundles at 127.0.0.1:\d+ answered 500/),
    });
    expect([...server.uploads.keys()]).toEqual([]);
    expect(String(await contentOf(store, 'exp_a.zip'))).toBe('as it was');
  });

  it('An upload interrupted by a server crash leaves nothing visible and can be repeated', async () => {
    let dead: Promise<void> | undefined;
    server.fault = (call) => {
      if (call !== PART || calls(PART).length < 2) return undefined;
      dead ??= server.die();
      return 'cut';
    };
    const path = workshop.file(Buffer.alloc(20 * MIB, 1));
    await expect(store.put('exp_a.zip', path)).rejects.toMatchObject({
      problem: 'unreachable',
      message: expect.stringContaining('cannot be reached (ECONN'),
    });
    await dead;
    await server.rise();
    server.fault = () => undefined;
    expect(await store.read('exp_a.zip')).toBeNull();
    expect(await namesIn(store)).toEqual([]);
    await store.put('exp_a.zip', path);
    expect((await contentOf(store, 'exp_a.zip'))?.length).toBe(20 * MIB);
  });

  it('An upload sends the session token of a temporary key', async () => {
    const temporary = await openOn(server, { sessionToken: 'the-token' });
    await temporary.put('exp_a.zip', workshop.file('a'));
    expect(server.log.map(({ token }) => token)).toEqual(['the-token']);
    await temporary.close();
  });
});

describe('Bucket errors', () => {
  let server: S3Server;
  let workshop: Workshop;
  beforeAll(async () => {
    server = await startS3Server('bundles');
    workshop = openWorkshop();
  });
  afterAll(async () => {
    await server.die();
    workshop.remove();
  });

  /** The error of each method of a store. */
  async function failures(store: FileStore): Promise<unknown[]> {
    const results = await Promise.allSettled([
      store.put('exp_a.zip', workshop.file('a')),
      store.put('exp_b.zip', workshop.file(Buffer.alloc(9 * MIB))),
      store.read('exp_a.zip'),
      store.delete('exp_a.zip'),
      namesIn(store),
    ]);
    await store.close();
    return results.map((result) => (result.status === 'rejected' ? result.reason : 'no error'));
  }

  it.for([
    ['wrong', 'SignatureDoesNotMatch'],
    ['', 'InvalidAccessKeyId'],
  ])('The secret "%s" is refused without revealing what was sent', async ([secret, code]) => {
    const stranger = { ...server, keyId: 'AKIDSTRANGER' };
    const store = await (secret === ''
      ? openOn(stranger)
      : openOn(server, { secret: 'wrong-secret' }));
    for (const error of await failures(store)) {
      expect(error).toMatchObject({
        problem: 'credentials',
        message: expect.stringContaining(`refused the credentials (${code}): check AWS_ACCESS_KEY`),
      });
      const shown = inspect(error, { depth: 20, showHidden: true });
      for (const sent of ['wrong-secret', server.secret, 'AKID', 'Signature=', 'Credential=']) {
        expect(shown).not.toContain(sent);
      }
    }
  });

  it('A missing bucket is named with the remedy', async () => {
    for (const error of await failures(await openOn(server, { bucket: 'no-bucket' }))) {
      expect(error).toMatchObject({
        problem: 'missing',
        message: expect.stringMatching(
          /^the bucket no-bucket at 127\.0\.0\.1:\d+ does not exist: create it, or set another/,
        ),
      });
    }
  });

  it('A bucket whose server is down is reported as unreachable', async () => {
    const down = await startS3Server('bundles');
    await down.die();
    for (const error of await failures(await openOn(down))) {
      expect(error).toMatchObject({
        problem: 'unreachable',
        message: expect.stringContaining('cannot be reached (ECONNREFUSED)'),
      });
    }
  });

  it('A request that is never answered times out', async () => {
    const { url, keyId, secret } = server;
    server.fault = () => 'hang';
    const store = openBucket(
      {
        ...{ kind: 's3', bucket: 'bundles', prefix: '', endpoint: url, region: 'us-east-1' },
        ...{ pathStyle: true, credentials: { accessKeyId: keyId, secretAccessKey: secret } },
      },
      { connect: 5000, request: 200, idle: 5000 },
    );
    for (const error of await failures(store)) {
      expect(error).toMatchObject({
        problem: 'unreachable',
        message: expect.stringMatching(/cannot be reached \((TimeoutError|ETIMEDOUT)\)/),
      });
    }
    server.fault = () => undefined;
  });

  it('A download cut in the middle of a file fails its reader', async () => {
    const store = await openOn(server);
    await store.put('exp_c.zip', workshop.file(Buffer.alloc(1_000_000)));
    server.fault = (call) => (call === 'GET x-id' ? 'cut-in-answer' : undefined);
    await expect(contentOf(store, 'exp_c.zip')).rejects.toThrow();
    server.fault = () => undefined;
    await store.close();
  });
});
