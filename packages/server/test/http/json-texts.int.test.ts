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

/** A decision that is good but for the text, which is one of its inputs. */
const withText = ([, text]: TextCase) => GOOD.replace('"HERE"', () => `{"v":${text}}`);
const send = (body: string | Buffer) => org.live.post('/decisions', body);

it('at least 150 texts are tried', () => {
  const all = [...TAKEN, ...UNFAITHFUL, ...BROKEN, ...BODIES, ...OTHERS];
  expect(new Set(all.map(([, text]) => text.toString('hex'))).size).toBeGreaterThan(150);
});

describe('a decision is recorded whose inputs hold', () => {
  it.each(TAKEN)('%s', async (...text) => {
    const answer = await send(withText(text));
    expect(answer, answer.text).toMatchObject({ status: 201 });
  });
});

describe('a decision is refused with the path of what could not be kept, and its inputs hold', () => {
  it.each(UNFAITHFUL)('%s', async (...text) => {
    const { code, details } = errorOf(await send(withText(text)));
    expect(code).toBe('validation_error');
    expect(Object.keys(details?.fields ?? {})).toEqual([expect.stringMatching(/^inputs\.v/)]);
  });
});

describe('a body is refused as no JSON that holds', () => {
  it.each(BROKEN)('%s', async (...text) => {
    expectRefusal(await send(withText(text)), 'malformed_request');
  });
});

describe('a body is refused as unreadable that is', () => {
  it.each(BODIES)('%s', async (_what, body) => {
    const { code } = errorOf(await send(body));
    expect(code).toMatch(/^(malformed_request|validation_error)$/);
  });
});

describe('a body is refused for its shape that is', () => {
  it.each(OTHERS)('%s', async (_what, body) => {
    expect(errorOf(await send(body)).code).toBe('validation_error');
  });
});
