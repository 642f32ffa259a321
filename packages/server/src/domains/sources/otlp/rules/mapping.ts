import type { OtlpPreset, OtlpRule, OtlpSettings } from '@decision-ledger/contract/otlp-settings';
import { confidenceReader, type ReadConfidence } from './confidence.js';
import { maskedFields } from './mask.js';
import { type PresetRule, rulesOfPreset } from './presets.js';
import { nameOfSource, type ReadSource, sourceReader } from './source.js';
import type { Span } from './span.js';

/** Places of one value, of which the first that is present counts. */
export interface PayloadSource {
  /** What stands for a value that is no object. */
  readonly name: string;
  readonly readers: readonly ReadSource[];
}

/** One kind of span that is a decision, ready to be read. */
export interface Rule {
  /** Null for a rule of the settings. */
  readonly preset: OtlpPreset | null;
  /** The preset, or the place of a rule in the settings. */
  readonly name: string;
  readonly applies: (span: Span) => boolean;
  readonly needsContent: boolean;
  readonly agentId: readonly ReadSource[];
  readonly actionType: readonly ReadSource[];
  readonly inputs: readonly PayloadSource[];
  readonly outputs: readonly PayloadSource[];
  readonly confidence: ReadConfidence;
  readonly oversight: readonly (readonly [source: string, read: ReadSource])[];
  readonly metadata: readonly (readonly [name: string, read: ReadSource])[];
}

/** Which spans are decisions. */
export interface Mapping {
  readonly version: number;
  readonly rules: readonly Rule[];
  readonly mask: readonly string[];
  /** The fields that it leads into. */
  readonly masked: ReadonlySet<string>;
}

/** Settings are the same object until they are read again, which is far less often than spans arrive. */
const mappings = new WeakMap<OtlpSettings, Mapping>();

/** @returns null if the settings name no rule: spans are not accepted */
export function mappingOf(settings: OtlpSettings): Mapping | null {
  const { version, preset, rules, mask } = settings;
  if (preset === 'none' && rules.length === 0) return null;
  const known = mappings.get(settings);
  if (known !== undefined) return known;
  const own = rules.map((rule): readonly [null, OtlpRule] => [null, rule]);
  const all = [...own, ...(preset === 'none' ? [] : rulesOfPreset(preset))];
  const mapping = { version, rules: all.map(prepared), mask, masked: maskedFields(mask) };
  mappings.set(settings, mapping);
  return mapping;
}

/** The first rule that applies to a span; undefined if it is no decision. */
export function ruleFor({ rules }: Mapping, span: Span): Rule | undefined {
  return rules.find(({ applies }) => applies(span));
}

function prepared([preset, rule]: readonly [null, OtlpRule] | PresetRule, at: number): Rule {
  return {
    preset,
    name: preset ?? `rules[${at}]`,
    applies: conditionOf(rule),
    needsContent: !rule.without_content,
    agentId: rule.agent_id.map(sourceReader),
    actionType: rule.action_type.map(sourceReader),
    inputs: rule.inputs.map(payloadSource),
    outputs: rule.outputs.map(payloadSource),
    confidence: confidenceReader(rule.confidence),
    oversight: rule.human_in_loop.map((source) => [source, sourceReader(source)]),
    metadata: Object.entries(rule.metadata).map(([name, source]) => [name, sourceReader(source)]),
  };
}

function payloadSource(entry: string): PayloadSource {
  const [first = '', ...others] = entry.split(' | ');
  return { name: nameOfSource(first), readers: [first, ...others].map(sourceReader) };
}

function conditionOf(rule: OtlpRule): Rule['applies'] {
  const { operation, scope, span_name, attribute, value } = rule;
  const read = attribute === undefined ? null : sourceReader(attribute);
  return (span) => {
    if (operation !== undefined && span.attributes.get('gen_ai.operation.name') !== operation)
      return false;
    if (scope !== undefined && !isNamed(span.scope, scope)) return false;
    if (span_name !== undefined && !isNamed(span.name, span_name)) return false;
    if (read === null) return true;
    const found = read(span);
    if (found === undefined || value === undefined) return found !== undefined;
    return typeof found !== 'object' && String(found) === value;
  };
}

function isNamed(name: string, wanted: string): boolean {
  return wanted.endsWith('*') ? name.startsWith(wanted.slice(0, -1)) : name === wanted;
}
