import { createHash, sign } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { ZipFile } from 'yazl';
import type { TestKey } from './keys.js';
import type { Json } from './story.js';

/** A bundle before it is signed: its files and manifest may still be changed. */
export interface Draft {
  readonly files: Map<string, Buffer>;
  /** Without `files`. */
  readonly manifest: Json;
  readonly key: TestKey;
}

export function arrayText(rows: readonly JsonValue[]): string {
  return `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}${rows.length > 0 ? '\n' : ''}]\n`;
}

export interface PackOptions {
  /** Replaces the text of manifest.json. */
  readonly manifestText?: (text: string) => string;
  /** Another signature. */
  readonly signature?: (manifest: Buffer) => Buffer;
  readonly compress?: boolean;
  /** Whether sizes follow the files, as when they are streamed. */
  readonly streamed?: boolean;
}

/** Lists the files, signs the manifest and packs everything as the service does. */
export async function pack(draft: Draft, options: PackOptions = {}): Promise<Buffer> {
  const files = [...draft.files].map(([name, bytes]) => ({
    ...{ name, sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length },
  }));
  const text = `${JSON.stringify({ ...draft.manifest, files }, null, 2)}\n`;
  const manifest = Buffer.from(options.manifestText?.(text) ?? text);
  const signature = options.signature?.(manifest) ?? sign('sha256', manifest, draft.key.privateKey);
  return zip([...draft.files, ['manifest.json', manifest], ['manifest.sig', signature]], options);
}

export async function zip(
  files: readonly (readonly [string, Buffer])[],
  { compress = true, streamed = true }: PackOptions = {},
): Promise<Buffer> {
  const archive = new ZipFile();
  // In local time, as in the archive, so that it is the same everywhere.
  const mtime = new Date(2026, 3, 16, 9, 30);
  const options = { mtime, mode: 0o100644, compress, forceDosTimestamp: true };
  for (const [name, bytes] of files) {
    if (streamed)
      archive.addReadStream(Readable.from([bytes], { objectMode: false }), name, options);
    else archive.addBuffer(bytes, name, options);
  }
  archive.end();
  return buffer(archive.outputStream);
}
