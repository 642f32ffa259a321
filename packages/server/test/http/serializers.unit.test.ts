import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NAMED_SCHEMAS } from '@decision-ledger/contract/named-schemas';
import { describe, expect, it } from 'vitest';
import { lazySerializer } from '#server/http/serializers';
import { ROOT } from '../support/paths.js';

const examples: Record<string, unknown> = JSON.parse(
  readFileSync(join(ROOT, 'packages/server/openapi/examples.json'), 'utf8'),
);

describe('Serializers', () => {
  it.each(Object.entries(NAMED_SCHEMAS))('%s is written as it is', (name, schema) => {
    expect(JSON.parse(lazySerializer(schema)(examples[name]))).toEqual(examples[name]);
  });
});
