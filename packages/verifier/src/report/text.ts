import type { SelectionFilter } from '@decision-ledger/proof/bundle/selection';
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

/** The filter of a bundle in words, and how many decisions it chose. */
export function selectionText({
  filter,
  in_range,
}: NonNullable<BundleSummary['selection']>): string {
  return `the decisions with ${conditionsOf(filter).join(', ')}, of ${in_range} in the range as the signer states`;
}

function conditionsOf({ metadata, ...rest }: SelectionFilter): string[] {
  const own = [
    ['agent_id', rest.agent_id],
    ['action_type', rest.action_type],
    ['human_in_loop', rest.human_in_loop],
    ['confidence from', rest.min_confidence],
    ['confidence to', rest.max_confidence],
  ].flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`]));
  const ofMetadata = Object.entries(metadata ?? {}).map(([key, text]) => `metadata.${key} ${text}`);
  return [...own, ...ofMetadata];
}

/** Characters that control a terminal or the direction of text. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** Replaces control characters, so that a hostile bundle cannot control a terminal. */
export function printable(text: string): string {
  return text.replace(CONTROL, '\ufffd');
}

/** Indented JSON with control characters as escapes. */
export function printableJson(value: object): string {
  const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, 2).replace(CONTROL, (char) =>
    char === '\n' ? char : escaped(char),
  );
}
