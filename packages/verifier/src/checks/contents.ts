import type { ContentFile, ExportType } from '@decision-ledger/proof/bundle/format';
import type { Findings } from '../report/findings.js';
import type { ActivityFacts } from './activity-facts.js';
import type { Files } from './files.js';
import type { Run } from './run.js';

/** What the contents of a bundle are checked with. */
export interface ContentInput {
  readonly files: Files;
  readonly findings: Findings;
  /** Seq in the chain of activity whose hash is wanted, for an earlier bundle. */
  readonly watched: number | null;
}

/** What the contents of a bundle say. */
export interface Contents {
  /** The decisions; null where the bundle holds sums. */
  readonly run: Run | null;
  /** Of the chain of decisions; null where the bundle has no genesis. */
  readonly genesisHash: string | null;
  /** Null unless the bundle has the chain of activity. */
  readonly activity: ActivityFacts | null;
  /** Whether a chain of the bundle continues a genesis, which says the organisation and the mode. */
  readonly isModeProven: boolean;
}

export type Step = () => Promise<void>;

/** For a file whose contents nothing is compared with: `Files.rest` checks its hash. */
export const checkHashAlone: Step = () => Promise.resolve();

/** How the contents of a type of bundle are checked. */
export interface ContentCheck<Type extends ExportType> {
  /** One step for each file, in the order in which they run. */
  readonly steps: { readonly [Name in ContentFile<Type>]: Step };
  /** Called after the last step. */
  conclude(): Contents;
}

export type AnyContentCheck = { [Type in ExportType]: ContentCheck<Type> }[ExportType];
