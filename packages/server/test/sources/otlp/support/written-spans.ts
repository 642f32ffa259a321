import { DEFAULT_OTLP, type OtlpSettings } from '@decision-ledger/contract/otlp-settings';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { decisionOfSpan } from '#server/domains/sources/otlp/rules/decide';
import { mappingOf, ruleFor } from '#server/domains/sources/otlp/rules/mapping';
import type { Span } from '#server/domains/sources/otlp/rules/span';

export type Members = Readonly<Record<string, JsonValue>>;
/** A span as an instrumentation writes it. */
export interface Written {
  readonly scope?: string;
  readonly name?: string;
  readonly attributes: Members;
  readonly events?: readonly (readonly [name: string, attributes: Members])[];
  readonly failure?: string | undefined;
}

const NOW = 1_800_000_000_000;

function spanOf({ scope = '', name = 'refund', attributes, events = [], failure }: Written): Span {
  return {
    ...{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), start: BigInt(NOW) * 1_000_000n },
    ...{
      name,
      scope,
      scopeVersion: '1.0.0',
      hasFailed: failure !== undefined,
      statusMessage: failure ?? '',
    },
    attributes: new Map(Object.entries(attributes)),
    events: events.map(([event, own]) => ({
      name: event,
      attributes: new Map(Object.entries(own)),
    })),
    resource: new Map([['service.name', 'shop']]),
  };
}

function settingsOf(changes: Partial<OtlpSettings>): OtlpSettings {
  return { ...DEFAULT_OTLP, preset: 'none', ...changes };
}

/** What a mapping makes of a span. */
export function read(changes: Partial<OtlpSettings>, written: Written) {
  const mapping = mappingOf(settingsOf(changes));
  if (mapping === null) throw new Error('no rule');
  const span = spanOf(written);
  const rule = ruleFor(mapping, span);
  return rule === undefined ? 'no_rule' : decisionOfSpan(mapping, rule, span, NOW);
}

/** The decision that a span must be. */
export function bodyOf(changes: Partial<OtlpSettings>, written: Written) {
  const decision = read(changes, written);
  if (typeof decision === 'string' || 'problem' in decision) {
    throw new Error(JSON.stringify(decision));
  }
  return decision.body;
}
