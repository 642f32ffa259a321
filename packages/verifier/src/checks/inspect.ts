import type { ByteSource } from '../archive/byte-source.js';
import { findDifference } from '../archive/container.js';
import { type Archive, openArchive } from '../archive/open.js';
import type { Findings } from '../report/findings.js';
import { checkActivity } from './activity.js';
import type { ActivityFacts } from './activity-facts.js';
import { checkCompliance } from './compliance.js';
import { checkDecisions } from './decisions.js';
import { checkEntries } from './entries.js';
import { checkEvents } from './events.js';
import { Files, type Progress } from './files.js';
import { checkKeys, type SigningKeys } from './keys.js';
import { checkLinks } from './links.js';
import { checkListing } from './listing.js';
import { type Manifest, readManifest } from './manifest.js';
import type { Run } from './run.js';
import { checkSignature, type Signer } from './signature.js';
import { checkStatement } from './statement.js';

/** What is known of a bundle once all of it was looked at. */
export interface Inspection {
  readonly manifest: Manifest;
  readonly signer: Signer;
  readonly keys: SigningKeys;
  /** What the bundle tells of decisions, one by one: null where it holds sums. */
  readonly run: Run | null;
  /** Of the chain of decisions, where the bundle has its genesis. */
  readonly genesisHash: string | null;
  /** Null unless the bundle is forensic. */
  readonly activity: ActivityFacts | null;
  /** Whether a genesis that a chain of the bundle goes on from says whose it is and its mode. */
  readonly isModeProven: boolean;
  /** Whether all files are those that were signed, however the archive is packed. */
  readonly isAsSigned: boolean;
}

interface Options {
  readonly findings: Findings;
  readonly progress: Progress;
  /** Place in the chain of activity whose hash is to be told. */
  readonly watched: number | null;
}

/**
 * Looks at everything in a bundle.
 * @returns null when there is no manifest that could be followed: the findings say why
 * @throws ArchiveError when the file cannot be read as an archive
 */
export async function inspectBundle(
  source: ByteSource,
  { findings, progress, watched }: Options,
): Promise<Inspection | null> {
  const archive = await openArchive(source, findings);
  const read = await readManifest(archive, findings);
  if (read === null) return null;
  const { manifest } = read;
  const signer = await checkSignature(archive, read, findings);
  const isClosed = checkListing(archive, manifest, findings);
  const files = new Files(archive, manifest, findings, progress);
  const keys = await checkKeys(files, signer.key, findings);
  const contents = await checkContents(files, manifest, findings, watched);
  await files.rest();
  const isAsSigned = signer.isValid && files.areAsListed && archive.isWhole && isClosed;
  await checkContainer(archive, isAsSigned, findings);
  return { manifest, signer, keys, ...contents, isAsSigned };
}

async function checkContents(
  files: Files,
  manifest: Manifest,
  findings: Findings,
  watched: number | null,
): Promise<Pick<Inspection, 'run' | 'genesisHash' | 'activity' | 'isModeProven'>> {
  if (manifest.exportType === 'insurance') {
    const message = 'The bundle holds sums only: no record stands in it that could be looked at.';
    findings.doubt('completeness', { code: 'sums_only', message });
    findings.doubt('time', { code: 'time_unknown', message });
    return { run: null, genesisHash: null, activity: null, isModeProven: false };
  }
  await checkStatement(files, manifest, findings);
  if (manifest.exportType === 'compliance') {
    return { ...(await checkCompliance(files, manifest, findings)), activity: null };
  }
  const activity = await checkActivity(files, manifest, findings, watched);
  const { run, epoch, genesisHash } = await checkEntries(files, manifest, findings);
  await checkDecisions(files, { manifest, findings, run, epoch, activity });
  await checkEvents(files, manifest, activity, findings);
  await checkLinks(files, manifest, activity, findings);
  return { run, genesisHash, activity, isModeProven: true };
}

/** Comes last, because it says whether the files are as they were signed all the same. */
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
  const message = `The archive was packed anew or changed: byte ${different} is not as the service writes it. ${files}`;
  findings.fail('integrity', { code: 'archive_rewritten', message });
}
