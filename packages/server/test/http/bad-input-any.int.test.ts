import { DecisionPage } from '@decision-ledger/contract/decision';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { character } from '../../../proof/test/support/characters.js';
import { document, print } from '../../../proof/test/support/json-document.js';
import { runs } from '../../../proof/test/support/runs.js';
import { type Answer, dataOf, decision, errorOf } from '../support/client.js';
import {
  contents,
  type Organisation,
  openTestService,
  type TestService,
} from '../support/service.js';

let bed: TestService;
let org: Organisation;

beforeAll(async () => {
  bed = await openTestService('embedded');
  org = await bed.organisation();
});
afterAll(() => bed.close());

/** Names with a meaning to the service or to JavaScript. */
const name = fc.oneof(
  fc.constantFrom(...Object.keys(decision()), 'metadata', 'timestamp', 'decisions'),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'length', '', '0'),
  fc.string({ unit: character, maxLength: 5 }),
);

/** A valid body with some fields replaced or added by arbitrary values. */
const almost = fc
  .dictionary(name, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 3, noNullPrototype: true })
  .map((fields) => JSON.stringify({ ...decision(), ...fields }));

const anything = fc.oneof(
  fc.json(),
  almost,
  document.map(({ node, layout }) => print(node, layout)),
  fc.string({ unit: character }),
  fc.uint8Array().map((bytes) => Buffer.from(bytes)),
);

/** Either all of the body was recorded, or nothing and the answer says why. */
async function expectAllOrNothing(before: string, answer: Answer): Promise<void> {
  if (answer.status === 201) {
    expect(await contents(bed)).not.toBe(before);
  } else {
    expect(errorOf(answer).code).toMatch(
      /^(malformed_request|validation_error|payload_too_large)$/,
    );
    expect(await contents(bed)).toBe(before);
  }
}

it('An arbitrary body is recorded or answered with a 4xx envelope', async () => {
  await fc.assert(
    fc.asyncProperty(anything, async (body) => {
      const before = await contents(bed);
      await expectAllOrNothing(before, await org.live.post('/decisions', body));
    }),
    { seed: 2026, numRuns: runs(300) },
  );
});

it('An arbitrary batch is recorded whole or not at all', async () => {
  const items = fc.array(almost, { minLength: 1, maxLength: 3 });
  const batch = fc.oneof(
    anything,
    items.map((texts) => `{"decisions":[${[...texts, JSON.stringify(decision())].join(',')}]}`),
  );
  await fc.assert(
    fc.asyncProperty(batch, async (body) => {
      const before = await contents(bed);
      await expectAllOrNothing(before, await org.live.post('/decisions/batch', body));
    }),
    { seed: 2026, numRuns: runs(200) },
  );
});

it('An arbitrary query is answered with 200 or a 4xx envelope', async () => {
  const parameter = fc.tuple(
    fc.oneof(name, fc.constantFrom('limit', 'cursor', 'start', 'end', 'metadata.a', 'agent_id')),
    fc.oneof(fc.string({ unit: character }), fc.json()),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(parameter, { maxLength: 3 }), async (parameters) => {
      const query = new URLSearchParams(parameters).toString();
      const answer = await org.live.get(`/decisions?${query}`);
      if (answer.status === 200) dataOf(answer, DecisionPage);
      else expect(errorOf(answer).code).toMatch(/^(malformed_request|validation_error)$/);
    }),
    { seed: 2026, numRuns: runs(300) },
  );
});
