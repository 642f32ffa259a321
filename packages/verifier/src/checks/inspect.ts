import type { Custody } from '@decision-ledger/proof/bundle/custody';
import { type CommonFile, contentsOf } from '@decision-ledger/proof/bundle/format';
import type { Manifest } from '@decision-ledger/proof/bundle/manifest';
import type { ByteSource } from '../archive/byte-source.js';
import { findDifference } from '../archive/container.js';
import { type Archive, openArchive } from '../archive/open.js';
import type { Findings } from '../report/findings.js';
import { agentStatementCheck } from './agent-statement/check.js';
import { complianceCheck } from './compliance.js';
import {
  type AnyContentCheck,
  type ContentInput,
  type Contents,
  checkHashAlone,
  type Step,
} from './contents.js';
import { checkCustody, readCustody } from './custody.js';
import { Files, type Progress } from './files.js';
import { forensicCheck } from './forensic.js';
import { insuranceCheck } from './insurance.js';
import { checkKeys, type SigningKeys } from './keys.js';
import { checkListing, readManifest } from './manifest.js';
import { checkSignature, type Signer } from './signature.js';

/** The result of checking a whole bundle. */
export interface Inspection extends Contents {
  readonly manifest: Manifest;
  readonly signer: Signer;
  readonly keys: SigningKeys;
  /** Whether all files are those that were signed, however the archive is packed. */
  readonly isAsSigned: boolean;
}

export interface InspectOptions extends Omit<ContentInput, 'files'> {
  readonly progress: Progress;
}

/**
 * Checks everything in a bundle.
 * @returns null without a valid manifest, which is then a finding
 * @throws ArchiveError if the file cannot be read as an archive
 */
export async function inspectBundle(
  source: ByteSource,
  { progress, ...given }: InspectOptions,
): Promise<Inspection | null> {
  const { findings } = given;
  const archive = await openArchive(source, findings);
  const read = await readManifest(archive, findings);
  if (read === null) return null;
  const { manifest, listed } = read;
  const signer = await checkSignature(archive, read, findings);
  const isClosed = checkListing(archive, read, findings);
  const files = new Files(archive, listed, findings, progress);
  const { keys, custody } = await checkCommonFiles(files, signer, findings);
  const contents = await checkContents(manifest, { files, ...given });
  if (custody !== null) checkCustody(custody, manifest, contents.recorded, findings);
  await files.rest();
  const isAsSigned = signer.isValid && files.areAsListed && archive.isWhole && isClosed;
  await checkContainer(archive, isAsSigned, findings);
  return { manifest, signer, keys, ...contents, isAsSigned };
}

async function checkCommonFiles(
  files: Files,
  signer: Signer,
  findings: Findings,
): Promise<{ readonly keys: SigningKeys; readonly custody: Custody | null }> {
  let keys: SigningKeys = new Map();
  let custody: Custody | null = null;
  const steps: Readonly<Record<CommonFile, Step>> = {
    'README.txt': checkHashAlone,
    // A template for a person to complete.
    'CERTIFICATE.md': checkHashAlone,
    'custody.json': async () => {
      custody = await readCustody(files, findings);
    },
    'keys.json': async () => {
      keys = await checkKeys(files, signer.key, findings);
    },
    // It was used to check the signature.
    'ledger-pubkey.pem': checkHashAlone,
  };
  for (const step of Object.values(steps)) await step();
  return { keys, custody };
}

async function checkContents(manifest: Manifest, input: ContentInput): Promise<Contents> {
  const check = contentCheck(manifest, input);
  const contents: readonly string[] = contentsOf(manifest);
  for (const [name, step] of Object.entries<Step>(check.steps)) {
    if (contents.includes(name)) await step();
  }
  return check.conclude();
}

/** Every type of export needs a case here; a missing one does not compile. */
function contentCheck(manifest: Manifest, input: ContentInput): AnyContentCheck {
  switch (manifest.export_type) {
    case 'forensic':
      return forensicCheck(manifest, input);
    case 'compliance':
      return complianceCheck(manifest, input);
    case 'insurance':
      return insuranceCheck(manifest, input);
    case 'statement':
      return agentStatementCheck(manifest, input);
  }
}

/** Runs last, because its finding says whether the files are those that were signed. */
async function checkContainer(
  archive: Archive,
  isAsSigned: boolean,
  findings: Findings,
): Promise<void> {
  const different = await findDifference(archive.source, [...archive.files.values()]);
  if (different === null) return;
  const files = isAsSigned
    ? 'All files in it are the ones that were signed.'
    : 'Not all files in it are the ones that were signed.';
  const message = `The archive was repacked or changed: byte ${different} is not as the service writes it. ${files}`;
  findings.fail('integrity', { code: 'archive_rewritten', message });
}
