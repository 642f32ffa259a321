import type { Archive } from '../archive/open.js';
import type { Findings } from '../report/findings.js';
import type { ExportType, Manifest } from './manifest.js';

/** The files that stand in no manifest, because they are it. */
const OWN = ['manifest.json', 'manifest.sig'];
const ALWAYS = ['README.txt', 'keys.json', 'ledger-pubkey.pem'];

const FILES: { readonly [type in ExportType]: readonly string[] } = {
  forensic: [
    ...ALWAYS,
    'activity.ndjson',
    'chain_verification.json',
    'decisions.json',
    'entries.ndjson',
    'events.json',
    'links.json',
  ],
  compliance: [
    ...ALWAYS,
    'article12.csv',
    'article12.json',
    'chain_verification.json',
    'completeness.json',
    'genesis.json',
  ],
  insurance: [...ALWAYS, 'insurance.json'],
};

/**
 * The archive has the files that a bundle of its type has, and the manifest lists just these.
 * @returns whether no other file is in the archive
 */
export function checkListing(archive: Archive, manifest: Manifest, findings: Findings): boolean {
  const wanted = FILES[manifest.exportType];
  let isClosed = true;
  for (const name of wanted) {
    if (!manifest.files.has(name)) {
      const message = `The manifest does not list ${name}, which every ${manifest.exportType} bundle has.`;
      findings.fail('integrity', { code: 'file_missing', file: name, message });
    }
  }
  for (const name of manifest.files.keys()) {
    if (!wanted.includes(name)) {
      const message = `The manifest lists ${JSON.stringify(name)}, which no ${manifest.exportType} bundle has.`;
      findings.fail('integrity', { code: 'manifest_files', file: name, message });
    }
    if (!archive.files.has(name)) {
      const message = `${name} is listed in the manifest and not in the archive.`;
      findings.fail('integrity', { code: 'file_missing', file: name, message });
    }
  }
  for (const name of archive.files.keys()) {
    if (!manifest.files.has(name) && !OWN.includes(name)) {
      isClosed = false;
      const message = `${name} is in the archive and not listed in the manifest: nothing vouches for it.`;
      findings.fail('integrity', { code: 'file_unlisted', file: name, message });
    }
  }
  checkOrder(archive, manifest, findings);
  return isClosed;
}

/** The files stand in the archive as the manifest lists them, and behind them the two it does not. */
function checkOrder(archive: Archive, manifest: Manifest, findings: Findings): void {
  const due = [...manifest.files.keys(), ...OWN].filter((name) => archive.files.has(name));
  const found = [...archive.files.keys()].filter((name) => due.includes(name));
  const at = due.findIndex((name, index) => name !== found[index]);
  if (at < 0) return;
  const message = `The archive was packed anew: ${found[at] ?? 'nothing'} stands in it where ${due[at]} is due.`;
  findings.fail('integrity', { code: 'archive_rewritten', message });
}
