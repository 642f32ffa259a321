import type { Reconciliation } from '@decision-ledger/contract/chain';
import type { ChainStatement } from '@decision-ledger/proof/bundle/statement';
import type { ChainName } from '../../../platform/chain/head.js';
import type { Verification, VerifyRequest } from '../../../platform/chain/verify.js';
import type { Database } from '../../../platform/database.js';
import type { FileStore } from '../../../platform/files/store.js';
import type { Keyring } from '../../../platform/keyring/keyring.js';
import type { Ledger } from '../../../platform/ledger.js';
import type { Scope } from '../../../platform/principal.js';
import type { Installation } from '../../../platform/statement.js';
import type { EvidenceRange } from '../../record/decisions/index.js';
import type { LogPin, PinnedLogs, SignedNotes } from '../transparency/index.js';
import type { RunSelection } from './selection.js';
import { type Extent, selectExtent } from './store/decisions.js';
import type { ExportRow } from './store/exports.js';
import type { WorkFolder } from './work-folder.js';

/** Verifies a chain in another thread or process. */
export type VerifyChain = (
  scope: Scope,
  chain: ChainName,
  request: VerifyRequest,
) => Promise<Verification>;

/** Dependencies of making an export. */
export interface RunTools {
  readonly db: Database;
  readonly installation: Installation;
  readonly files: FileStore;
  /** Folder of the work folders. */
  readonly workDir: string;
  readonly keyring: Keyring;
  /** Version of the service. */
  readonly version: string;
  /** The last checkpoints that this machine signed. */
  readonly signedNotes: SignedNotes;
  readonly verify: VerifyChain;
  /** Compares the tables with the activity chain, in another thread or process. */
  readonly reconcile: (scope: Scope) => Promise<Reconciliation>;
  /** Called with the error of each failed attempt. */
  readonly onFailure: (error: unknown) => void;
  /** Called with the reason each time the export restarts from an empty folder. */
  readonly onRestart: (reason: string) => void;
  /** Called when nothing is left but to store the bundle. */
  readonly onSealed: () => void;
}

/** The extent of an export and the checkpoints that cover it. */
export interface ExportSnapshot extends Extent {
  readonly logs: LogPin;
  /** Decisions in the range, whatever a filter chose. */
  readonly inRange: number;
  /** Decisions of the range of which a filter cannot say whether they match. */
  readonly erased: number;
  /** Seqs of the disclosed records that name a checkpoint of the decisions. */
  readonly namings: number[];
}

/** One attempt to make an export. */
export interface Attempt extends RunTools {
  readonly ledger: Ledger;
  readonly row: ExportRow;
  readonly folder: WorkFolder;
  /** Aborts the work with its reason. */
  readonly signal: AbortSignal;
}

/** An attempt that knows what it shows: created once and passed to each step. */
export interface ExportRun extends Attempt {
  readonly snapshot: ExportSnapshot;
  /** What a filter chose; null if the export shows everything of its range. */
  readonly selection: RunSelection | null;
}

/** The decisions that an export shows. */
export function shownRange({ snapshot, selection }: ExportRun): EvidenceRange {
  const { start, end, lastSeq } = snapshot;
  return { start, end, lastSeq, ...(selection !== null && { only: selection.choice.chosen }) };
}

/** A run whose records are copied and whose chains are verified. */
export interface VerifiedRun extends ExportRun {
  readonly chains: ChainStatement;
  /** Both logs in the state that `snapshot.logs` holds. */
  readonly logs: PinnedLogs;
  /** Seq of the last activity record in the bundle. */
  readonly activitySeq: number;
  /** The files of what the shown decisions stand for. */
  readonly uploads: readonly string[];
}

/** Fixes what an export shows: its extent, and what later changes of the ledger must not touch. */
export type Pin = (attempt: Attempt) => Promise<Extent>;

/** Everything of the range of the export. */
export const pinRange: Pin = ({ ledger, row }) =>
  selectExtent(ledger, { start: row.range_start, end: row.range_end });
