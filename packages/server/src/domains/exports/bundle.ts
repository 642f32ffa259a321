import { join } from 'node:path';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { uuidToId } from '../../platform/ids.js';
import type { Scope } from '../../platform/scope.js';
import { ALGORITHM, openSigner, type SigningKeyTools } from '../signing-keys/index.js';
import { describeFile, pack, writeText } from './archive.js';
import type { ChainReport } from './chain-report.js';
import { keysText } from './parts/keys.js';
import type { Pins } from './pins.js';
import { type BundleFacts, type BundleFile, manifestText } from './rules/manifest.js';
import { readmeText } from './rules/readme.js';
import type { ExportRow } from './store/export-row.js';

const MANIFEST = 'manifest.json';
const SIGNATURE = 'manifest.sig';
const PUBLIC_KEY = 'ledger-pubkey.pem';
const KEYS = 'keys.json';
const README = 'README.txt';
const ARCHIVE = 'bundle.zip';

export interface BundleTools extends SigningKeyTools {
  readonly version: string;
}

export interface Bundle extends BundleFile {
  readonly path: string;
  readonly fingerprint: string;
  /** SHA-256 of manifest.json, hexadecimal. */
  readonly manifest: string;
}

/**
 * Puts the files that were made into a signed archive.
 * @param folder where they are
 * @param names of the files that the kind of export has of its own
 * @param now ms, by the clock of the database
 */
export async function sealBundle(
  tools: BundleTools,
  scope: Scope,
  { export_id, export_type, requested_by }: ExportRow,
  {
    folder,
    names,
    pins,
    report,
    now,
  }: {
    readonly folder: string;
    readonly names: readonly string[];
    readonly pins: Pins;
    readonly report: ChainReport;
    readonly now: number;
  },
): Promise<Bundle> {
  const signer = await openSigner(tools, scope, requested_by);
  const facts: BundleFacts = {
    exportId: uuidToId('exp', export_id),
    exportType: export_type,
    organisation: uuidToId('org', scope.orgId),
    ledger: uuidToId('led', scope.ledgerId),
    mode: scope.mode,
    createdAt: formatTimestamp(now),
    start: formatTimestamp(pins.start),
    end: formatTimestamp(pins.end),
    version: tools.version,
    decisions: { ...report.decisions, count: pins.decisions, erasedFields: report.erasedFields },
    activity: { ...report.activity, since: pins.since },
    fingerprint: signer.fingerprint,
    algorithm: ALGORITHM,
  };
  await writeText(folder, README, readmeText(facts));
  await writeText(folder, KEYS, await keysText(tools.db, scope, export_type === 'forensic'));
  await writeText(folder, PUBLIC_KEY, signer.publicKey);
  const files = [];
  for (const name of [README, ...names, KEYS, PUBLIC_KEY]) {
    files.push(await describeFile(folder, name));
  }
  const manifest = Buffer.from(manifestText(facts, files), 'utf8');
  await writeText(folder, MANIFEST, manifest);
  await writeText(folder, SIGNATURE, signer.sign(manifest));
  const all = [...files.map(({ name }) => name), MANIFEST, SIGNATURE];
  const packed = await pack(folder, all, ARCHIVE, new Date(now));
  const { sha256 } = await describeFile(folder, MANIFEST);
  const path = join(folder, ARCHIVE);
  return { ...packed, path, fingerprint: signer.fingerprint, manifest: sha256 };
}
