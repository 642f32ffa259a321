import type { OtlpRule } from '@decision-ledger/contract/otlp-settings';

/** Names that OpenTelemetry defines for resources alone: no span has them. */
const OF_RESOURCE = /^(?:service|telemetry)\./;

/** Sources of a rule that can never have a value. */
export function sourceProblems(rule: OtlpRule, index: number): [path: string, problem: string][] {
  return Object.entries(sourcesOf(rule)).flatMap(([field, sources]) =>
    sources.flatMap((source, at): [string, string][] => {
      const problem = problemOf(source);
      if (problem === null) return [];
      const place = field === 'metadata' || field === 'attribute' ? field : `${field}[${at}]`;
      return [[`otlp.rules[${index}].${place}`, problem]];
    }),
  );
}

function sourcesOf(rule: OtlpRule): Record<string, readonly string[]> {
  const { agent_id, action_type, inputs, outputs, confidence, human_in_loop } = rule;
  return {
    ...{ agent_id, action_type, inputs, outputs, confidence, human_in_loop },
    attribute: rule.attribute === undefined ? [] : [rule.attribute],
    metadata: Object.values(rule.metadata),
  };
}

function problemOf(source: string): string | null {
  for (const place of source.split(' | ')) {
    if (OF_RESOURCE.test(place)) {
      return `${place} is an attribute of the resource: write resource:${place}`;
    }
    if (place.startsWith('event:') && !/^event:[^:]+:./.test(place)) {
      return 'must be `event:`, the name of an event, `:` and an attribute of it';
    }
  }
  return null;
}
