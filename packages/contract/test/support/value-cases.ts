import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';

const Cases = Type.Object({
  cases: Type.Array(
    Type.Object(
      {
        name: Type.String(),
        ways: Type.Array(Type.String()),
        text: Type.Optional(Type.String()),
        becomes: Type.Unknown(),
        degraded: Type.Array(Type.String()),
        refused: Type.Optional(Type.String()),
      },
      { additionalProperties: false },
    ),
  ),
});

const Repeated = Type.Object({
  $repeat: Type.Union([Type.String(), Type.Number()]),
  times: Type.Number(),
  end: Type.Optional(Type.Unknown()),
});

const path = join(import.meta.dirname, '../../../../vectors/values.json');
/** What each way of recording must make of odd values. */
export const VALUE_CASES = Parse(Cases, JSON.parse(readFileSync(path, 'utf8'))).cases;

/** The cases of a way by name, with what it must record. */
export function valueCasesOf(way: string) {
  return VALUE_CASES.filter(({ ways }) => ways.includes(way)).map((one) => {
    const becomes = whole(one.becomes);
    const text = one.text ?? '';
    return { ...one, text, inputs: { kept: '49.00', odd: becomes } };
  });
}

function whole(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('$repeat' in value)) return value;
  const { $repeat: one, times, ...rest } = Parse(Repeated, value);
  if (typeof one === 'string') return one.repeat(times);
  const list: unknown[] = Array.from({ length: times }, () => one);
  return 'end' in rest ? [...list, rest.end] : list;
}

/** A decision as far as a case says what it is. */
export const heldOf = (decision: {
  readonly inputs?: unknown;
  readonly metadata?: { readonly [name: string]: unknown } | undefined;
}) => ({ inputs: decision.inputs, degraded: decision.metadata?.degraded ?? [] });
