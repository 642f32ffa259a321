import type { RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import { checkActivity } from './activity.js';
import { ActivityFacts } from './activity-facts.js';
import type { ContentCheck, ContentInput } from './contents.js';
import { checkDecisions } from './decisions.js';
import { checkEntries, DecisionLines } from './entries.js';
import { checkEvents } from './events.js';
import { checkLinks } from './links.js';
import { checkStatement } from './statement.js';

/** Verifies both chains and compares every record with them. */
export function forensicCheck(
  manifest: RecordsManifest,
  { files, findings, watched }: ContentInput,
): ContentCheck<'forensic'> {
  const activity = new ActivityFacts(watched);
  const entries = new DecisionLines({ file: 'entries.ndjson', manifest, findings });
  return {
    steps: {
      'chain_verification.json': () => checkStatement(files, manifest, findings),
      'activity.ndjson': () => checkActivity(files, manifest, findings, activity),
      'entries.ndjson': () => checkEntries(files, entries),
      'decisions.json': () => {
        const { run, epoch } = entries;
        return checkDecisions(files, { manifest, findings, run, epoch: epoch ?? 1, activity });
      },
      'events.json': () => checkEvents(files, manifest, activity, findings),
      'links.json': () => checkLinks(files, manifest, activity, findings),
    },
    conclude() {
      const { run, genesisHash } = entries;
      return { run, genesisHash, activity, isModeProven: true };
    },
  };
}
