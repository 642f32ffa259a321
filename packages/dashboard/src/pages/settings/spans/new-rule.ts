import type { SpanAttribute, SpanGroup } from '@decision-ledger/client/api/operations';
import type { SettingsPatch } from '@decision-ledger/client/api/settings-forms';
import { present } from '../../../app/search-params.ts';

type NewRule = NonNullable<NonNullable<SettingsPatch['otlp']>['rules']>[number];

/** What a rule asks of a span. */
export const CONDITIONS = ['scope', 'span_name', 'attribute', 'value'] as const;
/** What a rule reads, each from a list of places. */
export const PLACES = ['agent_id', 'action_type', 'inputs', 'outputs', 'confidence'] as const;

/** A rule as it is typed: a line for each place. Empty: what the service reads by itself. */
export type RuleDraft = Readonly<
  Record<(typeof CONDITIONS)[number] | (typeof PLACES)[number], string>
>;

/** A word of a name that tells what the attribute holds, whoever named it. */
const WORDS = {
  inputs: /^(?:args?|arguments?|inputs?|params?|parameters?)$/i,
  outputs: /^(?:outputs?|results?|responses?)$/i,
  agent: /^agent$/i,
  tool: /^(?:tool|function)$/i,
  name: /^name$/i,
  confidence: /^confidence$/i,
};

/** A rule for the spans of a group, as far as its names tell one. */
export function draftOf({ scope, attributes }: SpanGroup): RuleDraft {
  const own = attributes.filter(({ name }) => !/^(?:resource|event):/.test(name));
  const named = (...words: readonly RegExp[]) =>
    own.filter(({ name }) =>
      words.every((word) => name.split(/[._-]/).some((one) => word.test(one))),
    );
  const inputs = payloadOf(named(WORDS.inputs));
  return {
    scope: scope ?? '',
    span_name: '',
    attribute: inputs || (own[0]?.name ?? ''),
    value: '',
    agent_id: linesOf(named(WORDS.agent, WORDS.name)),
    action_type: linesOf(named(WORDS.tool, WORDS.name)),
    inputs,
    outputs: payloadOf(named(WORDS.outputs)),
    confidence: linesOf(named(WORDS.confidence)),
  };
}

const linesOf = (attributes: readonly SpanAttribute[]) =>
  [...new Set(attributes.map(({ name }) => name))].join('\n');

/** One place, whose object is taken as it is. */
function payloadOf(attributes: readonly SpanAttribute[]): string {
  const whole = attributes.find(({ type }) => type === 'json' || type === 'object');
  return (whole ?? attributes[0])?.name ?? '';
}

/** The rule that was typed. What is empty is left out. */
export function ruleOf(draft: RuleDraft): NewRule {
  const text = (name: (typeof CONDITIONS)[number]) => draft[name].trim() || undefined;
  const places = (name: (typeof PLACES)[number]) => {
    const lines = draft[name].split('\n').map((line) => line.trim());
    const filled = lines.filter((line) => line !== '');
    return filled.length === 0 ? undefined : filled;
  };
  return present({
    scope: text('scope'),
    span_name: text('span_name'),
    attribute: text('attribute'),
    value: text('value'),
    agent_id: places('agent_id'),
    action_type: places('action_type'),
    inputs: places('inputs'),
    outputs: places('outputs'),
    confidence: places('confidence'),
  });
}
