import type { ContentFile } from '@decision-ledger/proof/bundle/format';
import type { RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import { checkActivity } from './activity.js';
import { ActivityFacts } from './activity-facts.js';
import type { ContentInput, Contents, Step } from './contents.js';
import { checkEntries, DecisionLines } from './entries.js';
import { LogCheck } from './log/check.js';
import type { Withheld } from './selection/withheld.js';
import { checkStatement } from './statement.js';

/** The files that bundles with both chains and all decisions of their range share. */
type ChainFile = ContentFile<'forensic'> & ContentFile<'compliance'>;

interface ChainsCheck {
  readonly steps: { readonly [Name in ChainFile]: Step };
  readonly entries: DecisionLines;
  readonly activity: ActivityFacts;
  conclude(): Promise<Contents>;
}

/**
 * Verifies both chains and their logs.
 * @param withheld what the bundle withholds of the run; null if it shows everything
 */
export function chainsCheck(
  manifest: RecordsManifest,
  input: ContentInput,
  withheld: Withheld | null = null,
): ChainsCheck {
  const { files, findings, watched, otherFilter } = input;
  const activity = new ActivityFacts(watched);
  const log = new LogCheck({ ...input, manifest });
  const options = { file: 'entries.ndjson', manifest, findings } as const;
  const entries = new DecisionLines(options, { log, otherFilter, withheld });
  return {
    steps: {
      ...log.steps,
      'chain_verification.json': () => checkStatement(files, manifest, findings),
      'activity.ndjson': () => checkActivity(files, manifest, findings, activity, log),
      'entries.ndjson': () => {
        log.watch(activity);
        return checkEntries(files, entries);
      },
    },
    entries,
    activity,
    async conclude() {
      const { run, genesisHash } = entries;
      const proven = await log.conclude(run, activity);
      return { run, genesisHash, activity, recorded: activity, log: proven, chosen: null };
    },
  };
}
