import {
  OTLP_RULE_DEFAULTS,
  type OtlpRule,
  type OtlpSettings,
} from '@decision-ledger/contract/otlp-settings';
import type { Span } from './span.js';

/** The rules of the GenAI semantic conventions 1.45: tool calls are decisions, turns of a model are not. */
const PRESETS: Readonly<Record<OtlpSettings['preset'], readonly OtlpRule[]>> = {
  none: [],
  'gen_ai_1.45': [{ ...OTLP_RULE_DEFAULTS, operation: 'execute_tool' }],
};

/** Which spans are decisions. */
export interface Mapping {
  readonly version: number;
  readonly rules: readonly OtlpRule[];
  readonly mask: readonly string[];
}

/** @returns null if the settings name no rule: spans are not accepted */
export function mappingOf({ version, preset, rules, mask }: OtlpSettings): Mapping | null {
  const all = [...rules, ...PRESETS[preset]];
  return all.length === 0 ? null : { version, rules: all, mask };
}

/** The first rule that applies to a span; undefined if it is no decision. */
export function ruleFor({ rules }: Mapping, span: Span): OtlpRule | undefined {
  return rules.find((rule) => applies(rule, span));
}

function applies({ operation, span_name, attribute, value }: OtlpRule, span: Span): boolean {
  const { attributes } = span;
  if (operation !== undefined && attributes.get('gen_ai.operation.name') !== operation)
    return false;
  if (span_name !== undefined && !isNamed(span.name, span_name)) return false;
  if (attribute === undefined) return true;
  const found = attributes.get(attribute);
  return found !== undefined && (value === undefined || String(found) === value);
}

function isNamed(name: string, wanted: string): boolean {
  return wanted.endsWith('*') ? name.startsWith(wanted.slice(0, -1)) : name === wanted;
}
