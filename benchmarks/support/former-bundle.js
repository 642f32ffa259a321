import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js';
import { ZipFile } from 'yazl';

/** Files that the first format does not have. */
const ADDED = [
  ...['decisions.checkpoint', 'activity.checkpoint', 'decisions.range.json'],
  ...['CERTIFICATE.md', 'custody.json'],
];
const UNLISTED = ['manifest.json', 'manifest.sig'];

/**
 * Writes the same forensic bundle in the first format, signed with a key of its own.
 * @param {string} from path of the archive
 * @param {string} to
 */
export async function writeFormerBundle(from, to) {
  const files = await filesOf(from);
  const manifest = JSON.parse(String(files.get('manifest.json')));
  for (const name of [...ADDED, ...UNLISTED]) files.delete(name);
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const der = publicKey.export({ type: 'spki', format: 'der' });
  const pem = String(publicKey.export({ type: 'spki', format: 'pem' }));
  const fingerprint = createHash('sha256').update(der).digest('hex');
  const key = { fingerprint, public_key: pem, created_at: manifest.created_at, retired_at: null };
  files.set('ledger-pubkey.pem', Buffer.from(pem));
  files.set('keys.json', Buffer.from(JSON.stringify({ signing_keys: [key], api_keys: [] })));
  const { logs: _logs, range, decisions, ...others } = manifest;
  const { head: _head, ...run } = decisions;
  const former = {
    ...others,
    ...{ format: 'decision-ledger/bundle/v1', decisions: run },
    range: { start: range.start, end: range.end },
    signing_key: { ...manifest.signing_key, fingerprint },
    files: [...files].map(([name, bytes]) => ({
      name,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      bytes: bytes.length,
    })),
  };
  const text = Buffer.from(JSON.stringify(former));
  files.set('manifest.json', text);
  files.set('manifest.sig', sign('sha256', text, privateKey));
  writeFileSync(to, await packed(files));
}

/** @param {string} path */
async function filesOf(path) {
  const reader = new ZipReader(new Uint8ArrayReader(await readFile(path)), {
    useWebWorkers: false,
  });
  /** @type {Map<string, Buffer>} */
  const files = new Map();
  for (const entry of await reader.getEntries()) {
    if (entry.directory) continue;
    files.set(entry.filename, Buffer.from(await entry.getData(new Uint8ArrayWriter())));
  }
  return files;
}

/** @param {ReadonlyMap<string, Buffer>} files */
function packed(files) {
  const archive = new ZipFile();
  const options = { mtime: new Date(), mode: 0o100644, compress: false, forceDosTimestamp: true };
  for (const [name, bytes] of files) archive.addBuffer(bytes, name, options);
  archive.end();
  return buffer(archive.outputStream);
}
