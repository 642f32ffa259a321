import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AttributionSettings, DEFAULT_ATTRIBUTION } from '@decision-ledger/contract/attribution';
import {
  CANDIDATE_SIGNALS,
  EVENT_SIGNALS,
  SIGNALS,
  WEIGHTED_SIGNALS,
} from '@decision-ledger/contract/attribution-signals';
import { byName } from '@decision-ledger/contract/by-name';
import { LinkScore } from '@decision-ledger/contract/link';
import { expect, it } from 'vitest';
import {
  evidenceOf,
  evidenceOfAll,
  logOddsOf,
  partsOf,
} from '#server/domains/judgement/attribution/rules/v1/evidence';
import {
  CANDIDATE_EVIDENCE,
  EVENT_EVIDENCE,
  PARTS,
} from '#server/domains/judgement/attribution/rules/v1/signals';
import { waterfallOf } from '#server/domains/record/links/rules/waterfall';
import { SCORE } from '../../support/link-score.js';
import { ROOT } from '../../support/paths.js';
import { BARE, PARAMETERS } from './support/attribution.js';

const namesOf = (signals: readonly { readonly name: string }[]) =>
  signals.map(({ name }) => name).sort();
const keysOf = (table: object) => Object.keys(table).sort();

it('Every signal is scored, with a part if it is weighted', () => {
  expect(keysOf(CANDIDATE_EVIDENCE)).toEqual(namesOf(CANDIDATE_SIGNALS));
  expect(keysOf(EVENT_EVIDENCE)).toEqual(namesOf(EVENT_SIGNALS));
  expect(keysOf(PARTS)).toEqual(namesOf(WEIGHTED_SIGNALS));
  expect(keysOf(evidenceOf(BARE, PARAMETERS))).toEqual(namesOf(SIGNALS));
  expect(keysOf(partsOf(BARE))).toEqual(namesOf(WEIGHTED_SIGNALS));
});

it('Every signal counts in the log-odds', () => {
  const crowded = evidenceOfAll(
    Array.from({ length: 40 }, () => ({ ...BARE, hours: 0 })),
    PARAMETERS,
  )[0];
  if (crowded === undefined) throw new Error('there is no evidence');
  expect(crowded.crowd).toBeLessThan(0);
  for (const { name } of SIGNALS) {
    const more = { ...crowded, [name]: crowded[name] + 1 };
    expect(logOddsOf(more) - logOddsOf(crowded)).toBeCloseTo(1, 12);
  }
});

it('Every weighted signal has a setting with its default, and a part in the score of a link', () => {
  const names = namesOf(WEIGHTED_SIGNALS);
  expect(keysOf(AttributionSettings.properties.weights.properties)).toEqual(names);
  expect(keysOf(LinkScore.properties.parts.properties)).toEqual(names);
  expect(DEFAULT_ATTRIBUTION.weights).toEqual(PARAMETERS.weights);
});

it('An explanation shows the signals in the order of the list, and those of a later model last', () => {
  const evidence = Object.fromEntries(
    [{ name: 'a_later_one' }, ...[...SIGNALS].reverse()].map(({ name }) => [name, 0]),
  );
  expect(waterfallOf({ ...SCORE, evidence }).map((step) => step.evidence)).toEqual([
    ...SIGNALS.map(({ name }) => name),
    'a_later_one',
  ]);
});

it('The documentation names every signal', () => {
  const page = readFileSync(join(ROOT, 'docs/attribution.md'), 'utf8');
  expect(SIGNALS.filter(({ name }) => !page.includes(`\`${name}\``))).toEqual([]);
});

it('A signal that is missing or unknown does not compile', () => {
  const { crowd, ...without } = evidenceOf(BARE, PARAMETERS);
  // @ts-expect-error The signal `crowd` is missing.
  const sum = () => logOddsOf(without);
  expect([crowd, sum()]).toEqual([0, Number.NaN]);
  // @ts-expect-error There is no such signal.
  expect(PARTS.weather).toBeUndefined();
  // @ts-expect-error A weighted signal without a part.
  const missing = { temporal: PARTS.temporal } satisfies typeof PARTS;
  expect(keysOf(missing)).not.toEqual(keysOf(PARTS));
});

it('Two signals of one name are refused', () => {
  expect(() => byName([{ name: 'base' }, { name: 'base' }], () => 0)).toThrow(TypeError);
});
