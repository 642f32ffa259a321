import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { jsonTypes } from '../../../scripts/support/json-types.js';
import { partOf } from '../../../scripts/support/schema-parts.js';

const Money = Type.String({ description: 'A decimal.' });
const Sums = Type.Object({ net: Money, losses: Money });

function print(...schemas: { name: string; schema: object; isPart?: boolean }[]): string {
  const text = jsonTypes([{ file: 'types', schemas }]).get('types.ts') ?? '';
  return text.replaceAll(/\s+/g, ' ');
}

it('The generator prints a shape once, and its name wherever it occurs again, whatever the order of its members', () => {
  const Other = Type.Object({
    first: Type.Array(Type.Object({ losses: Money, net: Money })),
    second: Type.Union([Sums, Type.Null()]),
  });
  const text = print({ name: 'Sums', schema: Sums }, { name: 'Other', schema: Other });
  expect(text).toContain('readonly first: readonly (Sums)[]; readonly second: Sums | null;');
});

it('The generator does not take a member of another description, type or optionality for the same', () => {
  const others = [
    Type.Object({ net: Money, losses: Type.Number({ description: 'A decimal.' }) }),
    Type.Object({ net: Money, losses: Type.String({ description: 'Another.' }) }),
    Type.Object({ net: Money, losses: Type.Optional(Money) }),
  ];
  for (const schema of others) {
    const text = print({ name: 'Sums', schema: Sums }, { name: 'Other', schema });
    expect(text.replace('interface Sums', '')).not.toContain('Sums');
  }
});

it('A type extends one that has some of its members, but for a single one only if it is made for that', () => {
  const More = Type.Object({ net: Money, losses: Money, agent: Type.String() });
  expect(print({ name: 'Sums', schema: Sums }, { name: 'More', schema: More })).toContain(
    'export interface More extends Sums { readonly agent: string; }',
  );
  const schema = Type.Object({ net: Money });
  const [alone, made] = [false, true].map((isPart) =>
    print({ name: 'Net', schema, isPart }, { name: 'More', schema: More }),
  );
  expect(alone).toContain('export interface More {');
  expect(made).toContain('export interface More extends Net {');
});

it('The generator states a merge patch of a named type as such', () => {
  const orNull = (schema: object) => Type.Union([Type.Unsafe(schema), Type.Null()]);
  const Patch = Type.Object({
    sums: Type.Optional(
      orNull(
        Type.Object({
          net: Type.Optional({ ...orNull(Type.String()), description: 'A decimal.' }),
          losses: Type.Optional({ ...orNull(Type.String()), description: 'A decimal.' }),
        }),
      ),
    ),
  });
  const text = print({ name: 'Sums', schema: Sums }, { name: 'Patch', schema: Patch });
  expect(text).toContain("import type { MergePatch } from '../merge-patch.js';");
  expect(text).toContain('readonly sums?: MergePatch<Sums> | null;');
});

it('A part is found by its path, and the refusal names a path that does not exist', () => {
  const schemaOf = () => Type.Object({ rows: Type.Array(Type.Union([Sums, Type.Null()])) });
  expect(partOf('Page.rows[]', schemaOf)).toMatchObject({ properties: { net: Money } });
  expect(Object.keys(partOf('Page.rows[]{net}', schemaOf).properties)).toEqual(['net']);
  expect(() => partOf('Page.rows[]{gross}', schemaOf)).toThrow('Page.rows[]{gross} does not exist');
});
