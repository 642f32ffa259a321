import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NAMED_SCHEMAS } from '@decision-ledger/contract/named-schemas';
import build from 'fast-json-stringify';
import { describe, expect, it } from 'vitest';
import { lazySerializer } from '#server/http/serializers';
import { ROOT } from '../support/paths.js';

const examples: Record<string, unknown> = JSON.parse(
  readFileSync(join(ROOT, 'packages/server/openapi/examples.json'), 'utf8'),
);

describe('Serializers', () => {
  it.each(Object.entries(NAMED_SCHEMAS))('%s is written as with validators', (name, schema) => {
    const write: (value: unknown) => string = build(JSON.parse(JSON.stringify(schema)));
    expect(lazySerializer(schema)(examples[name])).toBe(write(examples[name]));
  });
});
