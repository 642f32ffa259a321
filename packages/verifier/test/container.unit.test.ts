import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { memorySource } from '@decision-ledger/verifier/archive/byte-source';
import { Findings } from '@decision-ledger/verifier/report/findings';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import {
  centralRecord,
  dataDescriptor,
  endRecords,
  findDifference,
  localHeader,
} from '#verifier/archive/container';
import { openArchive } from '#verifier/archive/open';
import { zip } from './support/bundle.js';

const name = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/);
const files = fc.uniqueArray(fc.tuple(name, fc.uint8Array({ maxLength: 300 })), {
  ...{ minLength: 1, maxLength: 8, selector: ([one]) => one.toLowerCase() },
});

test('The computed structure equals every archive that the service writes, byte for byte', async () => {
  await fc.assert(
    fc.asyncProperty(files, fc.boolean(), async (all, streamed) => {
      const made = await zip(
        all.map(([one, bytes]) => [one, Buffer.from(bytes)]),
        { streamed },
      );
      const archive = await openArchive(memorySource(made), new Findings());
      expect([...archive.files.keys()]).toEqual(all.map(([one]) => one));
      expect(await findDifference(archive.source, [...archive.files.values()])).toBeNull();
    }),
    { numRuns: 60, seed: 7 },
  );
});

/** The headers that the archive library writes for a file, without writing gigabytes. */
function written(
  size: number,
  packedSize: number,
  offset: number,
): { local: Buffer; descriptor: Buffer; central: Buffer } {
  const archive = new ZipFile();
  archive.addReadStreamLazy(
    'large.ndjson',
    {
      mtime: new Date(2026, 3, 16, 9, 30),
      mode: 0o100644,
      compress: true,
      forceDosTimestamp: true,
    },
    () => undefined,
  );
  const inner: unknown = Reflect.get(archive, 'entries');
  const entry: object = Array.isArray(inner) ? inner[0] : {};
  Object.assign(entry, {
    crc32: 0xdeadbeef,
    uncompressedSize: size,
    compressedSize: packedSize,
    relativeOffsetOfLocalHeader: offset,
  });
  const call = (method: string): Buffer => Reflect.get(entry, method).call(entry);
  return {
    local: call('getLocalFileHeader'),
    descriptor: call('getDataDescriptor'),
    central: call('getCentralDirectoryRecord'),
  };
}

test.each([
  [12, 5, 34],
  [0xfffffffe, 12, 0],
  [0xffffffff, 12, 0],
  [5_000_000_000, 7, 12],
  [5_000_000_000, 5_000_800_000, 12],
  [0xfffffffe, 0xffffffff, 12],
  [12, 5, 0xfffffffe],
  [12, 5, 0xffffffff],
  [5_000_000_000, 9, 6_000_000_000],
])(
  'A file of %i bytes, packed into %i, at %i is described as by the library, with ZIP64 where needed',
  (size, packedSize, offset) => {
    const { local, descriptor, central } = written(size, packedSize, offset);
    const modified = local.readUInt32LE(10);
    const file = {
      name: 'large.ndjson',
      size,
      packedSize,
      crc32: 0xdeadbeef,
      streamed: true,
      offset,
      modified,
    };
    expect(Buffer.from(localHeader(file))).toEqual(local);
    expect(Buffer.from(dataDescriptor(file))).toEqual(descriptor);
    expect(Buffer.from(centralRecord(file))).toEqual(central);
  },
);

test.each([0, 0xfffffffe, 0xffffffff, 5_000_000_000])(
  "The end of an archive with its directory at %i equals the library's",
  async (offset) => {
    const archive = new ZipFile();
    Reflect.set(archive, 'outputStreamCursor', offset);
    archive.end();
    expect(Buffer.from(endRecords(0, 0, offset))).toEqual(
      await buffer(Readable.from(archive.outputStream)),
    );
  },
);
