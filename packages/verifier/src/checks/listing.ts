import { listedFiles, UNLISTED_FILES } from '@decision-ledger/proof/bundle/format';
import type { Archive } from '../archive/open.js';
import type { Findings } from '../report/findings.js';
import type { ReadManifest } from './manifest.js';

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
    if (!wanted.includes(name)) {
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
