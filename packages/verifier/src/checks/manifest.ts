import {
  isUploadFileName,
  listedFiles,
  showsPayloads,
  UNLISTED_FILES,
} from '@decision-ledger/proof/bundle/format';
import {
  type ListedFile,
  type Manifest,
  parseManifest,
} from '@decision-ledger/proof/bundle/manifest';
import { readJson } from '@decision-ledger/proof/bundle/shape';
import { type Archive, reason } from '../archive/open.js';
import type { Findings } from '../report/findings.js';
import { readWhole } from './files.js';

const MAX_MANIFEST_BYTES = 1024 * 1024;
const MANIFEST = 'manifest.json';

export interface ReadManifest {
  readonly manifest: Manifest;
  /** By name; for a name that is listed twice, the last one. */
  readonly listed: ReadonlyMap<string, ListedFile>;
  /** The signed bytes. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** @returns null if the manifest is missing or malformed, which is then a finding */
export async function readManifest(
  archive: Archive,
  findings: Findings,
): Promise<ReadManifest | null> {
  const file = archive.files.get(MANIFEST);
  if (file === undefined) {
    const message = 'The archive has no readable manifest.json: it is not a bundle.';
    findings.fail('integrity', { code: 'manifest_missing', file: MANIFEST, message });
    return null;
  }
  try {
    const bytes = await readWhole(file, MAX_MANIFEST_BYTES);
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const manifest = parseManifest(readJson(text), (name) => {
      const message = `The manifest lists ${JSON.stringify(name)} twice.`;
      findings.fail('integrity', { code: 'manifest_files', file: name, message });
    });
    return { manifest, listed: new Map(manifest.files.map((one) => [one.name, one])), bytes };
  } catch (error) {
    const message = `manifest.json cannot be used: ${reason(error)}.`;
    findings.fail('integrity', { code: 'manifest_shape', file: MANIFEST, message });
    return null;
  }
}

const UNLISTED: readonly string[] = UNLISTED_FILES;

/**
 * Checks that the manifest lists exactly the files of its type, and that the archive has them.
 * @returns whether the archive has no other files
 */
export function checkListing(
  archive: Archive,
  { manifest, listed }: ReadManifest,
  findings: Findings,
): boolean {
  const type = manifest.export_type;
  const wanted: readonly string[] = listedFiles(manifest);
  let isClosed = true;
  for (const name of wanted) {
    if (!listed.has(name)) {
      const message = `The manifest does not list ${name}, which every ${type} bundle has.`;
      findings.fail('integrity', { code: 'file_missing', file: name, message });
    }
  }
  for (const name of listed.keys()) {
    if (!wanted.includes(name) && !(showsPayloads(type) && isUploadFileName(name))) {
      const message = `The manifest lists ${JSON.stringify(name)}, which no ${type} bundle has.`;
      findings.fail('integrity', { code: 'manifest_files', file: name, message });
    }
    if (!archive.files.has(name)) {
      const message = `${name} is listed in the manifest, but is not in the archive.`;
      findings.fail('integrity', { code: 'file_missing', file: name, message });
    }
  }
  for (const name of archive.files.keys()) {
    if (!listed.has(name) && !UNLISTED.includes(name)) {
      isClosed = false;
      const message = `${name} is in the archive, but is not listed in the manifest: nothing proves it.`;
      findings.fail('integrity', { code: 'file_unlisted', file: name, message });
    }
  }
  checkOrder(archive, listed, findings);
  return isClosed;
}

/** Checks that the archive has the listed files in order, then the unlisted ones. */
function checkOrder(archive: Archive, listed: ReadManifest['listed'], findings: Findings): void {
  const due = [...listed.keys(), ...UNLISTED].filter((name) => archive.files.has(name));
  const found = [...archive.files.keys()].filter((name) => due.includes(name));
  const at = due.findIndex((name, index) => name !== found[index]);
  if (at < 0) return;
  const message = `The archive was repacked: it has ${found[at] ?? 'nothing'} where ${due[at]} is expected.`;
  findings.fail('integrity', { code: 'archive_rewritten', message });
}
