import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decision, errorOf, expectRefusal } from '../support/client.js';
import { type Organisation, openTestService, type TestService } from '../support/service.js';
import { BODIES, BROKEN, OTHERS, TAKEN, type TextCase, UNFAITHFUL } from './support/json-texts.js';

let bed: TestService;
let org: Organisation;

beforeAll(async () => {
  bed = await openTestService('embedded');
  org = await bed.organisation();
});
afterAll(() => bed.close());

const GOOD = JSON.stringify(decision({ inputs: 'HERE' }));

/** A valid decision with the text as one of its inputs. */
const withText = ([, text]: TextCase) => GOOD.replace('"HERE"', () => `{"v":${text}}`);
const send = (body: string | Buffer) => org.live.post('/decisions', body);

it('At least 150 texts are tried', () => {
  const all = [...TAKEN, ...UNFAITHFUL, ...BROKEN, ...BODIES, ...OTHERS];
  expect(new Set(all.map(([, text]) => text.toString('hex'))).size).toBeGreaterThan(150);
});

describe('Faithful JSON', () => {
  it.each(TAKEN)('A decision whose inputs hold %s is recorded', async (...text) => {
    const answer = await send(withText(text));
    expect(answer, answer.text).toMatchObject({ status: 201 });
  });
});

describe('Unfaithful JSON', () => {
  it.each(UNFAITHFUL)(
    'A decision whose inputs hold %s is refused with the path of that value',
    async (...text) => {
      const { code, details } = errorOf(await send(withText(text)));
      expect(code).toBe('validation_error');
      expect(Object.keys(details?.fields ?? {})).toEqual([expect.stringMatching(/^inputs\.v/)]);
    },
  );
});

describe('Malformed JSON', () => {
  it.each(BROKEN)('A body that contains %s is refused as malformed', async (...text) => {
    expectRefusal(await send(withText(text)), 'malformed_request');
  });
});

describe('Unreadable bodies', () => {
  it.each(BODIES)('A body is refused as unreadable: %s', async (_what, body) => {
    const { code } = errorOf(await send(body));
    expect(code).toMatch(/^(malformed_request|validation_error)$/);
  });
});

describe('JSON of another shape', () => {
  it.each(OTHERS)('A body of another shape is refused: %s', async (_what, body) => {
    expect(errorOf(await send(body)).code).toBe('validation_error');
  });
});
