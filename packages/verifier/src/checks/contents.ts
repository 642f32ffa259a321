import type { ContentFile, ExportType } from '@decision-ledger/proof/bundle/format';
import type { SelectionFilter } from '@decision-ledger/proof/bundle/selection';
import type { Findings } from '../report/findings.js';
import type { ActivityFacts } from './activity-facts.js';
import type { Files } from './files.js';
import type { Kept, LogResult } from './log/kept.js';
import type { Run } from './run.js';
import type { Chosen } from './selection/chosen.js';

/** The input of a content check. */
export interface ContentInput {
  readonly files: Files;
  readonly findings: Findings;
  /** What the auditor kept; null if nothing was given. */
  readonly kept: Kept | null;
  /** Seq in the activity chain whose hash is needed to compare an earlier bundle. */
  readonly watched: number | null;
  /** The filter of the bundle that this one is compared with; null if it has none. */
  readonly otherFilter: SelectionFilter | null;
}

/** The result of checking the contents of a bundle. */
export interface Contents {
  /** The decisions; null for a bundle of sums. */
  readonly run: Run | null;
  /** Hash of the decision chain's genesis; null for a bundle of sums, and if its file is missing. */
  readonly genesisHash: string | null;
  /** Null for a bundle of sums. */
  readonly activity: ActivityFacts | null;
  /** What the activity records about keys and exports. */
  readonly recorded: Pick<ActivityFacts, 'signers' | 'requests'>;
  readonly log: LogResult;
  /** What a filter chose; null if the bundle shows everything of its range. */
  readonly chosen: Chosen | null;
}

export type Step = () => Promise<void>;

/** For a file whose contents are not compared: `Files.rest` checks its hash. */
export const checkHashAlone: Step = () => Promise.resolve();

/** The content check of a type of bundle: one step per file, in order of execution. */
export interface ContentCheck<Type extends ExportType> {
  readonly steps: { readonly [Name in ContentFile<Type>]: Step };
  /** Called after the last step. */
  conclude(): Contents | Promise<Contents>;
}

export type AnyContentCheck = { [Type in ExportType]: ContentCheck<Type> }[ExportType];
