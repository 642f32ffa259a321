import { printable, selectionText } from './printable.js';
import {
  type BundleSummary,
  type Report,
  type Verdict,
  type VerdictName,
  verdictsIn,
} from './report.js';

/** Maximum findings shown per verdict. */
const SHOWN = 20;

/**
 * A human-readable report, ending with a line feed.
 *
 * @example
 * ```ts
 * import { memorySource } from '@decision-ledger/verifier/archive/byte-source';
 * import { reportText } from '@decision-ledger/verifier/report/text';
 * import { verifyBundle } from '@decision-ledger/verifier/verify';
 *
 * const report = await verifyBundle(memorySource(new Uint8Array()));
 * reportText(report).split('\n')[0]; // => 'No readable bundle.'
 * ```
 */
export function reportText(report: Report): string {
  const blocks = verdictsIn(report).map(([name, verdict]) => verdictText(name, verdict));
  return [...headText(report.bundle), ...blocks].join('\n');
}

function headText(bundle: BundleSummary | null): string[] {
  if (bundle === null) return ['No readable bundle.\n'];
  const { export_id, export_type, ledger, organisation, mode, range, created_at, decisions } =
    bundle;
  const count = decisions === null ? '' : `, ${decisions} decisions`;
  const lines = [
    `${export_id}: ${export_type} bundle of ${organisation}, ledger ${ledger} (${mode})`,
    `from ${range.start} to before ${range.end}${count}, created at ${created_at}`,
    ...(bundle.selection === undefined ? [] : [`only ${selectionText(bundle.selection)}`]),
    `key ${bundle.key_fingerprint ?? 'unreadable'}`,
    '',
  ];
  return [lines.map(printable).join('\n')];
}

function verdictText(name: VerdictName, shown: Verdict): string {
  const { verdict, basis, findings, omitted, sentence } = shown;
  const more = Math.max(0, findings.length - SHOWN) + omitted;
  const lines = [
    `${name}: ${verdict.toUpperCase()} (basis: ${basis})`,
    `  ${sentence}`,
    ...findings.slice(0, SHOWN).map((finding) => {
      const { code, file, seq, id, message } = finding;
      const place = [file, seq === undefined ? undefined : `seq ${seq}`, id];
      const where = place.filter((part) => part !== undefined).join(' ');
      return `  - ${code}${where === '' ? '' : ` (${where})`}: ${message}`;
    }),
    ...(more > 0 ? [`  and ${more} more`] : []),
    '',
  ];
  return lines.map(printable).join('\n');
}
