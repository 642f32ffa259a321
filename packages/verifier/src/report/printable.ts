import type { SelectionFilter } from '@decision-ledger/proof/bundle/selection';
import type { BundleSummary } from './report.js';

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
