import { BUNDLES } from '@decision-ledger/proof/bundle/format';
import type { Selection } from '@decision-ledger/proof/bundle/selection';
import type { Findings } from '../report/findings.js';
import { hasSignedFiles, outcomeOf } from '../report/sentences.js';
import type { Inspection } from './inspect.js';

/** Adds what the bundle leaves unproven although it contradicts nothing. */
export function checkLimits(bundle: Inspection, findings: Findings): void {
  if (outcomeOf('completeness', findings, bundle) === 'pass') checkCoverage(bundle, findings);
  const { selection } = bundle.manifest;
  const isOpen = findings.of('selection').outcome !== 'fail' && hasSignedFiles(findings, bundle);
  if (selection !== null && isOpen) {
    checkSelection(selection, bundle, findings);
  }
  if (outcomeOf('time', findings, bundle) === 'pass') {
    const message = "All times come from the ledger's own clock: only their order was checked.";
    findings.doubt('time', { code: 'time_unattested', message });
  }
}

/** What is withheld cannot be compared with the filter. */
function checkSelection(selection: Selection, { activity }: Inspection, findings: Findings): void {
  const hidden = activity?.hidden.length ?? 0;
  if (selection.withheld === 0 && hidden === 0) return;
  const message = `${selection.withheld} decisions of the run and ${hidden} records of the activity chain are shown as hashes alone. That the filter chooses none of them is the statement of the signer.`;
  findings.doubt('selection', { code: 'selection_stated', message });
}

function checkCoverage({ manifest, activity, log }: Inspection, findings: Findings): void {
  for (const doubt of log.doubts) findings.doubt('completeness', doubt);
  const withheld = activity?.withheld ?? 0;
  if (withheld === 0 || BUNDLES[manifest.export_type].covers === 'decisions') return;
  const changes = withheld === 1 ? '1 change' : `${withheld} changes`;
  const hidden = `The data of ${changes} of events or links are withheld: only the signer attests that they are not of the range.`;
  findings.doubt('completeness', {
    code: 'data_withheld',
    file: 'activity.ndjson',
    message: hidden,
  });
}
