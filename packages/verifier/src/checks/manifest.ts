import {
  type ListedFile,
  type Manifest,
  parseManifest,
} from '@decision-ledger/proof/bundle/manifest';
import { readJson } from '@decision-ledger/proof/bundle/shape';
import { type Archive, reason } from '../archive/open.js';
import type { Findings } from '../report/findings.js';
import { readWhole } from './file-bytes.js';

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
