import { type Custody, parseCustody } from '@decision-ledger/proof/bundle/custody';
import type { Manifest } from '@decision-ledger/proof/bundle/manifest';
import { filterCommitment } from '@decision-ledger/proof/bundle/selection';
import { readJson } from '@decision-ledger/proof/bundle/shape';
import { reason } from '../archive/open.js';
import type { FindingCode } from '../report/codes.js';
import type { Findings } from '../report/findings.js';
import type { Contents } from './contents.js';
import type { Files } from './files.js';

const CUSTODY = 'custody.json';

/** @returns null if it is absent or malformed, which is then a finding */
export async function readCustody(files: Files, findings: Findings): Promise<Custody | null> {
  const text = await files.text(CUSTODY);
  if (text === null) return null;
  try {
    return parseCustody(readJson(text));
  } catch (error) {
    const message = `${CUSTODY} does not have the required form: ${reason(error)}.`;
    fail(findings, 'custody_shape', message);
    return null;
  }
}

/** Checks that the custody is what the activity records of the request, and what the manifest says. */
export function checkCustody(
  custody: Custody,
  manifest: Manifest,
  recorded: Contents['recorded'],
  findings: Findings,
): void {
  const { export_id, made, sealed, requested } = custody;
  const isOfManifest =
    export_id === manifest.export_id &&
    made.version === manifest.version &&
    sealed.at === manifest.created_at &&
    sealed.key_fingerprint === manifest.signing_key.fingerprint;
  if (!isOfManifest) {
    fail(findings, 'custody_differs', `${CUSTODY} says otherwise than the manifest.`);
  }
  const record = recorded.requests.find(({ seq }) => seq === requested.activity_seq);
  if (record === undefined || record.exportId !== export_id) {
    const message = `No activity of seq ${requested.activity_seq} records the request of this export.`;
    fail(findings, 'custody_differs', message);
    return;
  }
  if (record.at !== requested.at || record.actor !== requested.by) {
    const message = `${CUSTODY} says that ${requested.by} asked for the export at ${requested.at}; the activity says ${record.actor} at ${record.at}.`;
    fail(findings, 'custody_differs', message);
  }
  // Otherwise the maker could choose an earlier state of events and links.
  const since = manifest.activity?.since ?? record.seq;
  if (since < record.seq) {
    const message = `The manifest says that the export began at activity ${since}, before activity ${record.seq} asked for it.`;
    fail(findings, 'custody_differs', message);
  }
  const { start, end } = manifest.range;
  if (record.type !== manifest.export_type || record.start !== start || record.end !== end) {
    const message = `The activity records a request of a ${record.type} bundle from ${record.start} to ${record.end}.`;
    fail(findings, 'custody_differs', message);
  }
  const { selection } = manifest;
  // A selection that makes no commitment is not that of a request without a filter.
  const isAsked =
    selection === null
      ? record.filter === null
      : record.filter !== null && record.filter === filterCommitment(selection);
  if (isAsked) return;
  const message =
    record.filter === null
      ? 'The activity records a request without a filter.'
      : 'The activity records a request with another filter than that of the manifest.';
  findings.fail('integrity', { code: 'filter_differs', file: 'manifest.json', message });
}

function fail(findings: Findings, code: FindingCode, message: string): void {
  findings.fail('integrity', { code, file: CUSTODY, message });
}
