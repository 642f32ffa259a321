import { PassThrough, Readable } from 'node:stream';
import { sha256Stream } from '@decision-ledger/proof/hash';
import { ZipFile } from 'yazl';
import { type ListedFile, MANIFEST, type Manifest } from './manifest.js';

/** The level that takes little time: the database compresses well. */
const LEVEL = 1;
const OPTIONS = { compress: true, compressionLevel: LEVEL, mode: 0o100600 };

/** Writes a backup as a stream: no file is held in memory. */
export class ArchiveWriter {
  readonly #zip = new ZipFile();
  readonly #files: ListedFile[] = [];
  readonly #failed: Promise<never>;
  /** The bytes of the archive. */
  readonly stream: Readable;

  constructor(private readonly madeAt: Date) {
    this.stream = this.#zip.outputStream.pipe(new PassThrough());
    this.#failed = new Promise((_resolve, reject) => this.#zip.on('error', reject));
    this.#failed.catch(() => undefined);
  }

  get files(): readonly ListedFile[] {
    return this.#files;
  }

  /** Adds a file; resolves when its bytes were read. */
  async add(name: string, parts: AsyncIterable<Uint8Array>): Promise<void> {
    const digest = sha256Stream();
    let bytes = 0;
    const counted = async function* () {
      for await (const part of parts) {
        digest.update(part);
        bytes += part.length;
        yield part;
      }
    };
    const source = Readable.from(counted(), { objectMode: false });
    const done = new Promise<void>((resolve, reject) => {
      source.once('end', resolve);
      source.once('error', reject);
    });
    this.#zip.addReadStream(source, name, { ...OPTIONS, mtime: this.madeAt });
    await Promise.race([done, this.#failed]);
    this.#files.push({ name, bytes, sha256: digest.hex() });
  }

  /** The manifest is the last entry: an archive that was cut short has none. */
  finish(manifest: Manifest): void {
    const text = Buffer.from(JSON.stringify(manifest), 'utf8');
    this.#zip.addBuffer(text, MANIFEST, { ...OPTIONS, mtime: this.madeAt });
    this.#zip.end();
  }
}
