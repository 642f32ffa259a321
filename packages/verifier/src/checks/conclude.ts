import { BUNDLES } from '@decision-ledger/proof/bundle/format';
import type { Selection } from '@decision-ledger/proof/bundle/selection';
import type { Findings } from '../report/findings.js';
import { hasSignedFiles, outcomeOf } from '../report/sentences.js';
import type { Inspection } from './inspect.js';

/** Checks that the bundle is signed with the key whose fingerprint the caller obtained separately. */
export function checkAuthenticity(
  { signer, keys, recorded }: Inspection,
  pinned: string | null,
  findings: Findings,
): void {
  const own = signer.key?.fingerprint ?? null;
  if (own === null || !signer.isValid) {
    const message = 'The bundle has no valid signature, so its author is unknown.';
    findings.fail('authenticity', { code: 'signature_invalid', message });
  } else if (!recorded.signers.has(own)) {
    const message = `The activity chain does not record the key ${own}.`;
    findings.fail('authenticity', { code: 'signer_unrecorded', message });
  } else if (pinned === null) {
    const message = `The bundle is signed by the key ${own}. Compare it with the fingerprint that the organisation published.`;
    findings.doubt('authenticity', { code: 'key_unpinned', message });
  } else if (pinned !== own && keys.has(pinned)) {
    const retired = keys.get(pinned) ?? null;
    const since = retired === null ? '' : `, retired at ${retired}`;
    const message = `The bundle is signed by the key ${own}. The given key is listed in keys.json as another key of the organisation${since}: ask the organisation for the fingerprint of the newer one.`;
    findings.fail('authenticity', { code: 'key_former', file: 'keys.json', message });
  } else if (pinned !== own) {
    const message = `The bundle is signed by the key ${own}, not by ${pinned}.`;
    findings.fail('authenticity', { code: 'key_other', message });
  }
}

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
  const doubts = [...log.doubts, ...(activity?.doubts ?? [])];
  for (const doubt of doubts) findings.doubt('completeness', doubt);
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
