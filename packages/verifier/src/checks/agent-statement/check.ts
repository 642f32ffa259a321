import type { RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import { checkActivity } from '../activity.js';
import { ActivityFacts } from '../activity-facts.js';
import { checkStatement } from '../chains.js';
import type { ContentCheck, ContentInput } from '../contents.js';
import { checkEntries } from '../entries.js';
import { LogCheck } from '../log/check.js';
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
  const log = new LogCheck({ ...input, manifest });
  const options = { file: 'entries.ndjson', manifest, findings } as const;
  const entries = new StatementEntries(options, { log, otherFilter, withheld: null }, statement);
  return {
    steps: {
      ...log.steps,
      'chain_verification.json': () => checkStatement(files, manifest, findings),
      'statement.json': async () => {
        await files.lines(STATEMENT, statement);
        statement.end();
        entries.expectRows();
      },
      'entries.ndjson': () => checkEntries(files, entries),
      'activity.ndjson': async () => {
        await checkActivity(files, manifest, findings, activity, log);
        checkState(statement, activity, since);
        checkMoney(statement, { manifest, activity, findings }, entries);
      },
    },
    async conclude() {
      const { run, genesisHash } = entries;
      const proven = await log.conclude(run, activity);
      return { run, genesisHash, activity, recorded: activity, log: proven, chosen: null };
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
