import { createWriteStream } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Key } from '@decision-ledger/contract/access';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { type CommonFile, listedFiles, UNLISTED_FILES } from '@decision-ledger/proof/bundle/format';
import {
  type BundleFacts,
  type ListedFile,
  manifestText,
  SIGNATURE_ALGORITHM,
} from '@decision-ledger/proof/bundle/manifest';
import type { Selection } from '@decision-ledger/proof/bundle/selection';
import { sha256Stream } from '@decision-ledger/proof/hash';
import { ZipFile } from 'yazl';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { everyKey } from '../../access/keys/index.js';
import { everySigningKey, type Signer } from '../signing-keys/index.js';
import { custodyOf } from './custody.js';
import type { VerifiedRun } from './export-run.js';
import { EXPORT_KINDS } from './kinds.js';
import { certificateText } from './rules/certificate.js';
import { readmeText, type Section } from './rules/readme.js';
import { selectChainEnds } from './store/chains.js';

const ARCHIVE = 'bundle.zip';

export interface Bundle extends ListedFile {
  readonly path: string;
  readonly fingerprint: string;
  /** SHA-256 of manifest.json, hexadecimal. */
  readonly manifest: string;
}

/**
 * Adds the common files of all bundles, and packs all files into a signed archive.
 * @param signer opened before the activity was copied, so that the record of its key is in the bundle
 * @param now ms, by the clock of the database
 */
export async function sealBundle(run: VerifiedRun, signer: Signer, now: number): Promise<Bundle> {
  const { ledger, row, folder, logs, uploads } = run;
  const { namesApiKeys, readme } = EXPORT_KINDS[row.export_type];
  const facts = await factsOf(run, signer.fingerprint, now);
  const common: Readonly<Record<CommonFile, string>> = {
    'README.txt': readmeText(facts, [...readme(facts), ...aboutUploads(uploads)]),
    'CERTIFICATE.md': certificateText(facts, [logs.decisions.checkpoint, logs.activity.checkpoint]),
    'custody.json': await custodyOf(ledger, row.export_id, facts),
    'keys.json': await keysText(ledger, namesApiKeys),
    'ledger-pubkey.pem': signer.publicKey,
  };
  for (const [name, text] of Object.entries(common)) await writeText(folder.path, name, text);
  const listed: ListedFile[] = [];
  const named = listedFiles({ export_type: row.export_type, selection: facts.selection });
  const files = [...named, ...uploads];
  for (const name of files) {
    listed.push(await describeFile(folder.path, name));
  }
  const manifest = Buffer.from(manifestText(facts, listed), 'utf8');
  const unlisted: Readonly<Record<(typeof UNLISTED_FILES)[number], Buffer>> = {
    'manifest.json': manifest,
    'manifest.sig': signer.sign(manifest),
  };
  for (const [name, bytes] of Object.entries(unlisted)) await writeText(folder.path, name, bytes);
  const names = [...files, ...UNLISTED_FILES];
  const packed = await packArchive(folder.path, names, ARCHIVE, new Date(now));
  const { sha256 } = await describeFile(folder.path, 'manifest.json');
  const path = join(folder.path, ARCHIVE);
  return { ...packed, path, fingerprint: signer.fingerprint, manifest: sha256 };
}

function aboutUploads(uploads: readonly string[]): Section[] {
  if (uploads.length === 0) return [];
  return [
    [
      'UPLOADS',
      '',
      `${uploads.length} fields were too large to be recorded in place. Each has a file named by its decision and field;`,
      'the field states the SHA-256 and the size of the file in `$upload`, and shows the short values that are in it.',
    ],
  ];
}

async function factsOf(run: VerifiedRun, fingerprint: string, now: number): Promise<BundleFacts> {
  const { ledger, row, snapshot, chains, logs, version } = run;
  const [head = null] = await selectChainEnds(ledger, 'decisions', [snapshot.head]);
  const { activity } = chains;
  return {
    export_id: uuidToId('exp', row.export_id),
    export_type: row.export_type,
    organisation: uuidToId('org', ledger.scope.orgId),
    ledger: uuidToId('led', ledger.ledgerId),
    mode: ledger.scope.mode,
    created_at: formatTimestamp(now),
    range: {
      start: formatTimestamp(snapshot.start),
      end: formatTimestamp(snapshot.end),
      basis: row.range_basis,
    },
    selection: selectionOf(run),
    version,
    decisions: {
      count: snapshot.decisions,
      erased_fields: chains.erased_fields,
      first: chains.start,
      last: chains.end,
      head,
    },
    activity: { since: snapshot.since, first: activity.start, last: activity.end },
    logs: { decisions: logs.decisions.verifierKey, activity: logs.activity.verifierKey },
    signing_key: { fingerprint, algorithm: SIGNATURE_ALGORITHM },
  };
}

/** What a filter chose, and what the bundle withholds of its run. */
function selectionOf({ snapshot, selection }: VerifiedRun): Selection | null {
  if (selection === null) return null;
  const { inRange, erased, firstSeq, lastSeq, decisions } = snapshot;
  const { filter, salt } = selection;
  return { filter, salt, in_range: inRange, withheld: lastSeq - firstSeq + 1 - decisions, erased };
}

/** keys.json: all signing keys, and with `withNames` the API keys, which are the actors of the chains. */
async function keysText(ledger: LedgerReader, withNames: boolean): Promise<string> {
  const signingKeys = (await everySigningKey(ledger.connection, ledger.scope)).map(
    ({ fingerprint, public_key, created_at, retired_at }) => ({
      fingerprint,
      public_key,
      created_at,
      retired_at,
    }),
  );
  const named = withNames ? await everyKey(ledger) : null;
  const keys = {
    signing_keys: signingKeys,
    ...(named !== null && { api_keys: named.map(actorOf) }),
  };
  return `${JSON.stringify(keys, null, 2)}\n`;
}

function actorOf({ key_id, name, permissions, created_at, expires_at, revoked_at }: Key) {
  return { key_id, name, permissions, created_at, expires_at, revoked_at };
}

const BUFFER_BYTES = 256 * 1024;

/** Writes a small file of a bundle. */
export async function writeText(
  folder: string,
  name: string,
  text: string | Buffer,
): Promise<void> {
  await writeFile(join(folder, name), text, { mode: 0o600 });
}

/** The entry of a file in the manifest. */
export async function describeFile(folder: string, name: string): Promise<ListedFile> {
  const digest = sha256Stream();
  // One buffer for all reads keeps garbage low for large files.
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  let bytes = 0;
  const file = await open(join(folder, name), 'r');
  try {
    for (;;) {
      const { bytesRead } = await file.read(buffer);
      if (bytesRead === 0) break;
      digest.update(buffer.subarray(0, bytesRead));
      bytes += bytesRead;
    }
  } finally {
    await file.close();
  }
  return { name, sha256: digest.hex(), bytes };
}

/**
 * Packs files of a folder into an archive in the same folder. They are compressed, because some programs read no stored file
 * whose size is behind it.
 * @param mtime of all files in the archive
 */
export async function packArchive(
  folder: string,
  names: readonly string[],
  archive: string,
  mtime: Date,
): Promise<ListedFile> {
  const zip = new ZipFile();
  const failed = new Promise<never>((_resolve, reject) => zip.on('error', reject));
  const options = { mtime, mode: 0o100644, compress: true, forceDosTimestamp: true };
  for (const name of names) zip.addFile(join(folder, name), name, options);
  zip.end();
  const digest = sha256Stream();
  let bytes = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      digest.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const target = createWriteStream(join(folder, archive), { mode: 0o600 });
  await Promise.race([pipeline(zip.outputStream, count, target), failed]);
  return { name: archive, sha256: digest.hex(), bytes };
}
