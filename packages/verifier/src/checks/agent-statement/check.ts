import type { RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import { checkActivity } from '../activity.js';
import { ActivityFacts } from '../activity-facts.js';
import type { ContentCheck, ContentInput } from '../contents.js';
import { checkEntries } from '../entries.js';
import { logCheck, logSteps } from '../log/of-bundle.js';
import { checkStatement } from '../statement.js';
import { StatementEntries } from './entries.js';
import { checkMoney } from './links.js';
import { STATEMENT, StatementFile } from './statement-file.js';

/** Verifies both chains, the sums of the rows, and each row against the chains. */
export function agentStatementCheck(
  manifest: RecordsManifest,
  input: ContentInput,
): ContentCheck<'statement'> {
  const { files, findings, watched, otherFilter } = input;
  const { since } = manifest.activity;
  const activity = new ActivityFacts(watched, since);
  const statement = new StatementFile(manifest, findings);
  const log = logCheck(manifest, input);
  let entries: StatementEntries | null = null;
  return {
    steps: {
      ...logSteps(log),
      'chain_verification.json': () => checkStatement(files, manifest, findings),
      'statement.json': async () => {
        await files.lines(STATEMENT, statement);
        statement.end();
      },
      'entries.ndjson': async () => {
        const options = { file: 'entries.ndjson', manifest, findings } as const;
        const beside = { log, otherFilter, withheld: null };
        entries = new StatementEntries(options, beside, statement);
        await checkEntries(files, entries);
      },
      'activity.ndjson': async () => {
        await checkActivity(files, manifest, findings, activity, log);
        checkState(statement, activity, since);
        if (entries !== null) checkMoney(statement, activity, entries, since);
      },
    },
    async conclude() {
      const { run = null, genesisHash = null } = entries ?? {};
      const proven = (run && (await log?.conclude(run, activity))) ?? null;
      const found = { activity, recorded: activity, log: proven, chosen: null };
      return { run, genesisHash, ...found, isModeProven: true };
    },
  };
}

/** Checks that the figures are of the state in which the export began. */
function checkState(statement: StatementFile, activity: ActivityFacts, since: number): void {
  if (statement.about === null) return;
  const { seq, hash } = statement.about.activity ?? { seq: 0, hash: null };
  if (seq === since && hash === activity.sinceHash) return;
  const message = `The statement is of seq ${seq} of the activity chain (${hash}); the export began at ${since} (${activity.sinceHash}).`;
  statement.fail('figure_state', message, { seq });
}
