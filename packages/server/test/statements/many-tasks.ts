/** Statements of one ledger that its node cannot do alone, by a part of their text, each with the reason. */
const EXCEPTIONS: readonly (readonly [part: RegExp, reason: string])[] = [
  [/^\s*with made as materialized/, 'Citus does each insertion within a statement by itself'],
  [/^\s*with inserted as/, 'Citus does each insertion within a statement by itself'],
  [
    /\be\.ledger_id::text = /,
    'the index of values of metadata has the ledger in its keys only, and is asked on every node',
  ],
];

export function isException(text: string): boolean {
  return EXCEPTIONS.some(([part]) => part.test(text));
}
