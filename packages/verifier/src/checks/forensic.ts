import type { RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import { chainsCheck } from './chains.js';
import type { ContentCheck, ContentInput } from './contents.js';
import { checkDecisions } from './decisions.js';
import { checkEvents } from './events.js';
import { checkLinks } from './links.js';

/** Verifies both chains and compares every record with them. */
export function forensicCheck(
  manifest: RecordsManifest,
  input: ContentInput,
): ContentCheck<'forensic'> {
  const { files, findings } = input;
  const { steps, entries, activity, conclude } = chainsCheck(manifest, input);
  return {
    steps: {
      ...steps,
      'decisions.json': () => {
        const { run, epoch } = entries;
        return checkDecisions(files, { manifest, findings, run, epoch: epoch ?? 1, activity });
      },
      'events.json': () => checkEvents(files, manifest, activity, findings),
      'links.json': () => checkLinks(files, manifest, activity, findings),
    },
    conclude,
  };
}
