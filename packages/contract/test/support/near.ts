import type { SchemaNode } from '@decision-ledger/contract/schema-node';
import fc from 'fast-check';
import { character } from '../../../proof/test/support/characters.js';

/** Texts that some schema of the API accepts, and texts that nearly match. */
const TEXTS = [
  ...['2026-04-16', '2026-02-30', '2026-04-16T09:30:00Z', '2026-04-16T09:30:00', '0000-01-01'],
  ...['2024-02-29', '2023-02-29T00:00:00+02:00', '2026-04-16T09:30:00 02:00', '1250.00', '-0', '0'],
  ...[
    '0.0',
    '1.0825',
    '1e3',
    'USD',
    'usd',
    'XAU',
    'https://a.example/b',
    'http://u:p@a/',
    'ftp://a',
  ],
  ...[
    'whsec_abc',
    '********0123abcd',
    `whsec_${'A'.repeat(32)}`,
    `whsec_${'A'.repeat(33)}`,
    'a b',
    'outputs.a',
  ],
  ...[
    'dec_01kpat0fe0ec88qqtsarzj0nhh',
    'evt_01kpat0fe0ec88qqtsarzj0nhh',
    'é',
    '\u{1f600}',
    '',
    'a',
  ],
  ...['link.created', 'link.created,heartbeat', 'decision.recorded,link.created', 'f'.repeat(64)],
  ...['rk_live_abc', '+02:00', 'Europe/Berlin', 'stripe', 'bank/*'],
  ...['x'.repeat(200), 'x'.repeat(201), '\u{1f600}'.repeat(200), '\u{1f600}'.repeat(201), 'a\nb'],
];

const anything = fc.oneof(
  fc.constantFrom<unknown>(...TEXTS, null, true, 0, 1, -1, 0.5, 1e9, 501),
  fc.constantFrom<unknown>([], {}, [1], { a: 1 }),
  fc.string({ unit: character, maxLength: 5 }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Values that a schema accepts or nearly accepts: some parts are omitted, wrong or surplus. */
export function near(node: SchemaNode): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 200, arbitrary: fitting(node) }, { weight: 1, arbitrary: anything });
}

function fitting(node: SchemaNode): fc.Arbitrary<unknown> {
  if (node.anyOf !== undefined) return fc.oneof(...node.anyOf.map(near));
  if ('const' in node) return fc.constant(node.const);
  if (node.enum !== undefined) return fc.constantFrom(...node.enum);
  switch (node.type) {
    case 'object':
      return object(node);
    case 'array':
      return fc.array(near(node.items ?? {}), { minLength: node.minItems ?? 0, maxLength: 3 });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'integer':
    case 'number':
      return number(node);
    default:
      return text(node);
  }
}

function object(node: SchemaNode): fc.Arbitrary<unknown> {
  const { properties = {}, patternProperties = {}, required = [] } = node;
  const known = Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [name, near(member)]),
  );
  const named = fc.record(known, { requiredKeys: [...required], noNullPrototype: true });
  const table = Object.values(patternProperties).map((member) =>
    fc.dictionary(fc.constantFrom('refund', 'metadata.a', 'metadata.', ''), near(member), {
      maxKeys: 2,
      noNullPrototype: true,
    }),
  );
  const odd = fc.dictionary(fc.constantFrom('unknown', 'a\nb', '0'), anything, {
    ...{ maxKeys: 1, noNullPrototype: true },
  });
  return fc
    .tuple(named, fc.oneof({ weight: 200, arbitrary: fc.constant({}) }, odd), ...table)
    .map((parts) => Object.assign({}, ...parts));
}

function number({ type, minimum = 0, maximum = 1000 }: SchemaNode): fc.Arbitrary<number> {
  const edges = [minimum, maximum];
  const between =
    type === 'integer'
      ? fc.integer({ min: minimum, max: maximum })
      : fc.double({ min: minimum, max: maximum, noNaN: true });
  return fc.oneof(
    { weight: 40, arbitrary: between },
    { weight: 10, arbitrary: fc.constantFrom(...edges) },
    { weight: 1, arbitrary: fc.constantFrom(minimum - 1, maximum + 1, 0.5) },
  );
}

function text(node: SchemaNode): fc.Arbitrary<string> {
  const taken = TEXTS.filter((one) => isTaken(node, one));
  const any = fc.constantFrom(...TEXTS);
  if (taken.length === 0) return any;
  return fc.oneof(
    { weight: 60, arbitrary: fc.constantFrom(...taken) },
    { weight: 1, arbitrary: any },
  );
}

function isTaken({ pattern, format, maxLength = 100 }: SchemaNode, one: string): boolean {
  if (format === 'date') return one === '2026-04-16';
  if (format === 'date-time') return one === '2026-04-16T09:30:00Z';
  const fits = pattern === undefined || new RegExp(pattern, 'u').test(one);
  return fits && one.length > 0 && one.length <= maxLength;
}
