import type { ContentFile } from '@decision-ledger/proof/bundle/format';
import type { ChainRun, RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import { readJson } from '@decision-ledger/proof/bundle/shape';
import { type ParsedResult, parseStatement } from '@decision-ledger/proof/bundle/statement';
import { reason } from '../archive/open.js';
import type { Findings } from '../report/findings.js';
import { checkActivity } from './activity.js';
import { ActivityFacts } from './activity-facts.js';
import type { ContentInput, Contents, Step } from './contents.js';
import { checkEntries, DecisionLines } from './entries.js';
import type { Files } from './files.js';
import { LogCheck } from './log/check.js';
import { isSamePoint, isSameStart } from './run.js';
import type { Withheld } from './selection/chosen.js';

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
  const activity = new ActivityFacts(watched, manifest.activity.since);
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

const STATEMENT = 'chain_verification.json';

/** Checks that the service found both chains valid, for the runs in the manifest. */
export async function checkStatement(
  files: Files,
  manifest: RecordsManifest,
  findings: Findings,
): Promise<void> {
  const text = await files.text(STATEMENT);
  if (text === null) return;
  try {
    const { decisions, activity } = parseStatement(readJson(text));
    const differences = [
      ...differencesOf('the decisions', decisions, manifest.decisions),
      ...differencesOf('the activity', activity, manifest.activity),
    ];
    for (const difference of differences) {
      const message = `${STATEMENT} ${difference}.`;
      findings.fail('integrity', { code: 'statement_differs', file: STATEMENT, message });
    }
  } catch (error) {
    const message = `${STATEMENT} does not have the required form: ${reason(error)}.`;
    findings.fail('integrity', { code: 'statement_shape', file: STATEMENT, message });
  }
}

function* differencesOf(
  what: string,
  { is_valid, hasBrokenLink, start, end, records_checked }: ParsedResult,
  { first, last }: ChainRun,
): Generator<string> {
  if (!is_valid || hasBrokenLink) {
    yield `says that the chain of ${what} was broken when the bundle was created`;
  }
  if (!isSameStart(start, first) || !isSamePoint(end, last)) {
    yield `names other ends of ${what} than the manifest`;
  }
  const records = start === null || end === null ? 0 : end.seq - start.seq + 1;
  if (records_checked !== records) {
    yield `does not count ${records} records of ${what}`;
  }
}
