import type { RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import { checkActivity } from '../activity.js';
import { ActivityFacts } from '../activity-facts.js';
import type { ContentCheck, ContentInput } from '../contents.js';
import { checkEntries } from '../entries.js';
import { checkStatement } from '../statement.js';
import { StatementEntries } from './entries.js';
import { checkMoney } from './links.js';
import { STATEMENT, StatementFile } from './statement-file.js';

/** Verifies both chains, the sums of the rows, and each row against the chains. */
export function agentStatementCheck(
  manifest: RecordsManifest,
  { files, findings, watched }: ContentInput,
): ContentCheck<'statement'> {
  const { since } = manifest.activity;
  const activity = new ActivityFacts(watched, since);
  const statement = new StatementFile(manifest, findings);
  let entries: StatementEntries | null = null;
  return {
    steps: {
      'chain_verification.json': () => checkStatement(files, manifest, findings),
      'statement.json': async () => {
        await files.lines(STATEMENT, statement);
        statement.end();
      },
      'entries.ndjson': async () => {
        entries = new StatementEntries({ file: 'entries.ndjson', manifest, findings }, statement);
        await checkEntries(files, entries);
      },
      'activity.ndjson': async () => {
        await checkActivity(files, manifest, findings, activity);
        checkState(statement, activity, since);
        if (entries !== null) checkMoney(statement, activity, entries, since);
      },
    },
    conclude() {
      const { run = null, genesisHash = null } = entries ?? {};
      return { run, genesisHash, activity, isModeProven: true };
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
