import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OUTCOMES } from '@decision-ledger/contract/outcome-settings';
import { type Static, Type } from 'typebox';
import { Parse } from 'typebox/value';

const Form = Type.Object({
  ways: Type.Array(Type.String()),
  outputs: Type.Record(Type.String(), Type.Unknown()),
  stated: Type.Optional(Type.Enum(OUTCOMES)),
  outcome: Type.Enum(OUTCOMES),
});

const Report = Type.Object(
  {
    returned: Type.Optional(Type.Unknown()),
    raised: Type.Optional(Type.String()),
    failed: Type.Optional(Type.String()),
    rejected: Type.Optional(Type.String()),
    blocked: Type.Optional(Type.String()),
    protocol_error: Type.Optional(Type.Unknown()),
    cancelled: Type.Optional(Type.Boolean()),
    lost: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type Report = Static<typeof Report>;

const Cases = Type.Object({
  ways: Type.Array(Type.String()),
  cases: Type.Array(
    Type.Object({ name: Type.String(), report: Report, recorded: Type.Array(Form) }),
  ),
});

const path = join(import.meta.dirname, '../../../../vectors/outcomes.json');
/** What each way of recording must make of what it is told of a call. */
export const OUTCOME_CASES = Parse(Cases, JSON.parse(readFileSync(path, 'utf8')));

/** The cases that a way can be told of, with what it must record. */
export function casesOf(way: string) {
  return OUTCOME_CASES.cases.flatMap(({ name, report, recorded }) =>
    recorded
      .filter(({ ways }) => ways.includes(way))
      .map(({ outputs, stated, outcome }) => ({ name, report, outputs, stated, outcome })),
  );
}

/** A decision as far as a case says what it is. */
export function formOf(decision: {
  readonly outputs?: unknown;
  readonly metadata?: object | undefined;
}) {
  const stated: unknown = Reflect.get(decision.metadata ?? {}, 'outcome');
  return { outputs: decision.outputs, stated };
}
