import type { RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import { checkActivity } from './activity.js';
import { ActivityFacts } from './activity-facts.js';
import type { ContentCheck, ContentInput } from './contents.js';
import { checkDecisions } from './decisions.js';
import { checkEntries, DecisionLines } from './entries.js';
import { checkEvents } from './events.js';
import { checkLinks } from './links.js';
import { logCheck, logSteps } from './log/of-bundle.js';
import { checkStatement } from './statement.js';

/** Verifies both chains and compares every record with them. */
export function forensicCheck(
  manifest: RecordsManifest,
  input: ContentInput,
): ContentCheck<'forensic'> {
  const { files, findings, watched } = input;
  const activity = new ActivityFacts(watched);
  const log = logCheck(manifest, input);
  const entries = new DecisionLines({ file: 'entries.ndjson', manifest, findings }, log);
  return {
    steps: {
      ...logSteps(log),
      'chain_verification.json': () => checkStatement(files, manifest, findings),
      'activity.ndjson': () => checkActivity(files, manifest, findings, activity, log),
      'entries.ndjson': () => checkEntries(files, entries),
      'decisions.json': () => {
        const { run, epoch } = entries;
        return checkDecisions(files, { manifest, findings, run, epoch: epoch ?? 1, activity });
      },
      'events.json': () => checkEvents(files, manifest, activity, findings),
      'links.json': () => checkLinks(files, manifest, activity, findings),
    },
    async conclude() {
      const { run, genesisHash } = entries;
      const proven = (await log?.conclude(run, activity)) ?? null;
      return { run, genesisHash, activity, log: proven, isModeProven: true };
    },
  };
}
