import { KeyBody } from '@decision-ledger/contract/access';
import { ExposureQuery, TimelineQuery } from '@decision-ledger/contract/analytics';
import { ActivityQuery, ChainVerificationQuery } from '@decision-ledger/contract/chain';
import { DecisionBatchBody, DecisionBody, DecisionQuery } from '@decision-ledger/contract/decision';
import { ErasureBody } from '@decision-ledger/contract/erasure';
import { LedgerError } from '@decision-ledger/contract/errors';
import { ExportBody, ExportQuery } from '@decision-ledger/contract/export';
import { FinancialEventBody, FinancialEventQuery } from '@decision-ledger/contract/financial-event';
import { LinkBody, LinkQuery } from '@decision-ledger/contract/link';
import { findProblems } from '@decision-ledger/contract/problems';
import type { SchemaNode } from '@decision-ledger/contract/schema-node';
import { Settings } from '@decision-ledger/contract/settings';
import { SettingsAnswer, SettingsPatch } from '@decision-ledger/contract/settings-forms';
import { StreamQuery } from '@decision-ledger/contract/stream';
import { checker, queryChecker } from '@decision-ledger/contract/validation';
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { near } from './support/near.js';

const SCHEMAS: readonly (readonly [name: string, schema: TSchema])[] = Object.entries({
  ...{ DecisionBody, DecisionBatchBody, DecisionQuery, ErasureBody, ExportBody, ExportQuery },
  ...{ FinancialEventBody, FinancialEventQuery, KeyBody, LinkBody, LinkQuery, StreamQuery },
  ...{ ActivityQuery, ChainVerificationQuery, TimelineQuery, ExposureQuery },
  ...{ Settings, SettingsAnswer, SettingsPatch },
});

type Fields = Readonly<Record<string, readonly string[]>>;

function refusal(check: (value: unknown) => unknown, value: unknown): Fields {
  try {
    check(value);
  } catch (error) {
    if (error instanceof LedgerError) return error.details?.fields ?? {};
    throw error;
  }
  return {};
}

describe('Agreement with the compiled check', () => {
  it.each(SCHEMAS)(
    'Problems are found exactly where the compiled check refuses, for values near %s',
    (_name, schema) => {
      const compiled = Compile(schema);
      const seen = { taken: 0, refused: 0 };
      fc.assert(
        fc.property(near(schema), (value) => {
          const problems = findProblems(schema, value, 'body', 20);
          const isTaken = compiled.Check(value);
          seen[isTaken ? 'taken' : 'refused'] += 1;
          expect({ problems, isTaken: Object.keys(problems).length === 0 }).toEqual({
            problems,
            isTaken,
          });
        }),
        { seed: 2026, numRuns: 1600 },
      );
      expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(0);
    },
  );
});

/** Every node of a schema. */
function* nodes(node: SchemaNode): Generator<SchemaNode> {
  yield node;
  const { anyOf = [], properties = {}, patternProperties = {}, items } = node;
  const rest = typeof node.additionalProperties === 'object' ? [node.additionalProperties] : [];
  const below = [...anyOf, ...Object.values(properties), ...Object.values(patternProperties)];
  for (const child of [...below, ...rest, ...(items === undefined ? [] : [items])]) {
    yield* nodes(child);
  }
}

const KEYWORDS = new Set([
  ...['type', 'const', 'enum', 'anyOf', 'properties', 'patternProperties', 'required', 'items'],
  ...['additionalProperties', 'maxProperties', 'minItems', 'maxItems', 'uniqueItems', 'pattern'],
  ...['minLength', 'maxLength', 'format', 'minimum', 'exclusiveMinimum', 'maximum'],
  ...['description', 'default', 'writeOnly', 'x-problem', 'x-names'],
]);

describe.each(SCHEMAS)('Schema %s', (_name, schema) => {
  const all = [...nodes(schema)];

  it('The schema uses only keywords that the search for problems knows', () => {
    expect(all.flatMap(Object.keys).filter((keyword) => !KEYWORDS.has(keyword))).toEqual([]);
  });

  it('The schema describes each of its patterns and formats in words', () => {
    const isSilent = (node: SchemaNode) =>
      node['x-problem'] === undefined &&
      (node.pattern !== undefined || node.format !== undefined || node.patternProperties);
    const unions = new Set(
      all.flatMap((node) => (node['x-problem'] === undefined ? [] : (node.anyOf ?? []))),
    );
    const silent = all.filter((node) => isSilent(node) && !unions.has(node));
    const tables = silent.filter(
      (node) => node.patternProperties !== undefined && node['x-names'] === undefined,
    );
    const metadata = tables.filter(({ patternProperties }) =>
      Object.keys(patternProperties ?? {}).every((pattern) => pattern.startsWith('^metadata')),
    );
    expect(tables).toEqual(metadata);
    expect(silent.filter(({ patternProperties }) => patternProperties === undefined)).toEqual([]);
  });

  it('The schema states which branch of a union a value is meant for, or describes it in words', () => {
    for (const { anyOf, 'x-problem': problem } of all) {
      if (anyOf === undefined || problem !== undefined) continue;
      const types = anyOf.map((branch) => branch.type ?? 'text');
      const objects = anyOf.filter(({ type }) => type === 'object');
      const constants = objects.map(({ properties }) => properties?.kind?.const);
      const told = objects.length > 1 ? constants : types;
      expect(new Set(told).size).toBe(told.length);
    }
  });

  it('The schema bounds every list of unique items', () => {
    const lists = all.filter(({ uniqueItems }) => uniqueItems === true);
    for (const { maxItems } of lists) expect(maxItems).toBeLessThanOrEqual(100);
  });
});

describe('Problems with their remedy', () => {
  const event = (fields: object) => ({
    ...{ source: 's', event_type: 'refund', amount: '1.00', currency: 'USD' },
    ...{ timestamp: '2026-04-16T09:30:00Z', ...fields },
  });
  const decision = (fields: object) => ({
    ...{ agent_id: 'a', action_type: 'b', inputs: {}, outputs: {}, confidence: 1, ...fields },
  });
  const TIME = 'must be an RFC 3339 date-time such as 2026-04-16T09:30:00.000Z';
  const BOUND = 'must be a date such as 2026-04-16 or an RFC 3339 date-time';
  const CURRENCY = 'must be an ISO 4217 code in use, such as USD';
  const time = (timestamp: unknown, problem: string): [object, string, string] => [
    decision({ timestamp }),
    'timestamp',
    `${TIME}; ${problem}`,
  ];

  it.each([
    [
      decision({ confidence: '0.9' }),
      'confidence',
      'must be a number from 0 to 1; send it without quotes',
    ],
    [decision({ confidence: 93 }), 'confidence', 'must be a number from 0 to 1'],
    [decision({ confidence: null }), 'confidence', 'must be a number from 0 to 1'],
    [
      decision({ human_in_loop: 'true' }),
      'human_in_loop',
      'must be true or false; send it without quotes',
    ],
    [
      decision({ metadata: null }),
      'metadata',
      'must be an object; leave it out where there is none',
    ],
    [
      decision({ agent_id: 17 }),
      'agent_id',
      'must be a string of 1 to 200 characters; put it in quotes',
    ],
    [decision({ agent_id: '' }), 'agent_id', 'must be a string of 1 to 200 characters'],
    [decision({ agentId: 'a' }), 'agentId', 'is not a known field: write agent_id'],
    time('2026-04-16', 'add a time and an offset, such as T00:00:00Z'),
    time('2026-04-16 09:30:00Z', 'put a T between day and time'),
    time('2026-04-16T09:30:00', 'add Z or an offset such as +02:00'),
    time('2026-04-16T09:30Z', 'add the seconds'),
    time('2026-04-16T09:30:00+0200', 'write the offset as +02:00'),
    time('16.04.2026', 'write year, month and day with hyphens'),
    time(1_776_331_800, 'Unix times are not accepted'),
    time('2026-12-31T23:59:60Z', 'leap seconds are not accepted'),
  ])('A wrong decision gets a problem with its remedy: %j', (body, field, problem) => {
    expect(refusal(checker(DecisionBody, 'body'), body)).toEqual({ [field]: [problem] });
  });

  it.each([
    [{ amount: 12.5 }, 'amount', /^must be a decimal such as "1250\.00".*; put it in quotes$/],
    [{ currency: 'usd' }, 'currency', `${CURRENCY}; write USD`],
    [{ currency: 'XAU' }, 'currency', CURRENCY],
  ])('An event with %j gets a problem with its remedy', (fields, name, problem) => {
    const told = refusal(checker(FinancialEventBody, 'body'), event(fields));
    expect(told[name]?.join()).toMatch(problem);
  });

  it.each([
    [{ limit: '1000' }, 'limit', 'must be a whole number from 1 to 500'],
    [{ limit: 'ten' }, 'limit', 'must be a whole number from 1 to 500'],
    [{ limit: ['1', '2'] }, 'limit', 'must be a whole number from 1 to 500; give one, not a list'],
    [{ human_in_loop: 'True' }, 'human_in_loop', 'must be true or false'],
    [{ start: '2026-02-30' }, 'start', `${BOUND}; there is no such day`],
    [
      { start: '2026-04-16T00:00:00 02:00' },
      'start',
      `${BOUND}; in a URL, write the + of the offset as %2B`,
    ],
  ])('A query with %j gets a problem with its remedy', (query, name, problem) => {
    expect(refusal(queryChecker(DecisionQuery), query)).toEqual({ [name]: [problem] });
  });

  it('A member with the wrong case is named with the correct one', () => {
    const query = { export_type: 'Forensic', start_date: '2026-01-01', end_date: '2026-02-01' };
    expect(refusal(checker(ExportBody, 'body'), query)).toEqual({
      export_type: ['must be one of forensic, compliance, insurance, statement; write forensic'],
    });
  });

  it('The problem of a nullable setting describes its other values', () => {
    const check = checker(SettingsPatch, 'settings');
    expect(refusal(check, { rate_limits: { read_per_second: 'many' } })).toEqual({
      'rate_limits.read_per_second': ['must be a whole number from 1 to 1000000, or null'],
    });
    expect(refusal(check, { accounting: [{ kind: 'Hledger' }] })).toEqual({
      'accounting[0].kind': ['must be hledger or quickbooks or stripe'],
    });
  });
});

describe('Cost of the search for problems', () => {
  const million = (item: unknown) => Array.from({ length: 1_000_000 }, () => item);
  const cases: readonly (readonly [string, TSchema, unknown])[] = [
    ['permissions that are numbers', KeyBody, { name: 'a', permissions: million(1) }],
    ['permissions that are alike', KeyBody, { name: 'a', permissions: million('read') }],
    ['fields that are alike', ErasureBody, { reason: 'a', fields: million('inputs') }],
    ['decisions that are numbers', DecisionBatchBody, { decisions: million(1) }],
    ['decisions that are empty', DecisionBatchBody, { decisions: million({}) }],
    ['alternatives that are numbers', DecisionBody, { alternatives: million(1) }],
    [
      'unknown fields',
      DecisionBody,
      Object.fromEntries(Array.from({ length: 200_000 }, (_, n) => [`f${n}`, n])),
    ],
    ['a long name', DecisionBody, { ['x'.repeat(8_000_000)]: 1 }],
    ['a long agent', DecisionBody, { agent_id: 'é'.repeat(8_000_000) }],
    ['a long currency', FinancialEventBody, { currency: 'a'.repeat(8_000_000) }],
    ['a long amount', FinancialEventBody, { amount: '1'.repeat(8_000_000) }],
    [
      'a long time',
      FinancialEventBody,
      { timestamp: `2026-04-16T00:00:00.${'1'.repeat(8_000_000)}` },
    ],
    ['a long list of types', StreamQuery, { types: 'link.created,'.repeat(600_000) }],
  ];
  it.each(cases)(
    'The search takes less than two seconds of CPU for millions of values: %s',
    (_name, schema, value) => {
      const check = checker(schema, 'body');
      const start = process.cpuUsage();
      const fields = refusal(check, value);
      const { user, system } = process.cpuUsage(start);
      expect(Object.keys(fields).length).toBeGreaterThan(0);
      expect(Object.keys(fields).length).toBeLessThanOrEqual(20);
      expect(JSON.stringify(fields).length).toBeLessThan(10_000);
      // A quadratic search takes minutes.
      expect((user + system) / 1000).toBeLessThan(2000);
    },
  );
});
