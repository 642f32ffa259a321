import type { RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import { chainsCheck } from './chains.js';
import type { ContentCheck, ContentInput } from './contents.js';
import { checkDecisions } from './decisions.js';
import { checkEvents } from './events.js';
import { checkLinks } from './links.js';
import { Chosen } from './selection/chosen.js';
import { Withheld } from './selection/withheld.js';

/** Verifies both chains, compares every record with them, and what is shown with the filter. */
export function forensicCheck(
  manifest: RecordsManifest,
  input: ContentInput,
): ContentCheck<'forensic'> {
  const { files, findings, otherFilter } = input;
  const { selection } = manifest;
  const withheld = selection === null ? null : new Withheld(findings);
  const chosen = selection === null ? null : new Chosen({ manifest, selection, findings });
  const { steps, entries, activity, conclude } = chainsCheck(manifest, input, withheld);
  const known = { manifest, activity, findings, chosen };
  return {
    steps: {
      'withheld.ndjson': async () => withheld?.read(files),
      ...steps,
      'decisions.json': () => {
        const { run, epoch } = entries;
        return checkDecisions(files, { ...known, run, epoch: epoch ?? 1, otherFilter });
      },
      'events.json': () => checkEvents(files, known),
      'links.json': () => checkLinks(files, known),
    },
    async conclude() {
      chosen?.endRecords();
      if (withheld !== null) chosen?.endCounts(entries.run, withheld, activity);
      return { ...(await conclude()), chosen };
    },
  };
}
