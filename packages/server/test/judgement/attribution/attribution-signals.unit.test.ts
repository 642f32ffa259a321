import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { logOddsOf, PRIORS, priorWeights } from '@decision-ledger/attribution/weights';
import { AttributionSettings, DEFAULT_ATTRIBUTION } from '@decision-ledger/contract/attribution';
import { byName, FEATURES, WEIGHTED_GROUPS } from '@decision-ledger/contract/attribution-signals';
import { expect, it } from 'vitest';
import { waterfallOf } from '#server/domains/record/links/rules/share';
import { SCORE } from '../../support/link-score.js';
import { ROOT } from '../../support/paths.js';

const keysOf = (table: object) => Object.keys(table).sort();

it('Every feature has a prior, and counts in the log-odds', () => {
  expect(keysOf(PRIORS)).toEqual(FEATURES.map(({ name }) => name).sort());
  const weights = priorWeights(DEFAULT_ATTRIBUTION);
  for (const { name } of FEATURES) {
    expect(logOddsOf({ [name]: 2 }, weights)).toBeCloseTo(2 * weights[name], 12);
  }
});

it('Every weighted group has a setting with its default', () => {
  const names = WEIGHTED_GROUPS.map(({ name }) => name).sort();
  expect(keysOf(AttributionSettings.properties.weights.properties)).toEqual(names);
  expect(DEFAULT_ATTRIBUTION.weights).toEqual({
    temporal: 0.35,
    metadata: 0.3,
    agent_pattern: 0.2,
    amount: 0.15,
  });
});

it('An explanation shows the features in the order of the list, and those of a later model last', () => {
  const evidence = Object.fromEntries(
    [{ name: 'a_later_one' }, ...[...FEATURES].reverse()].map(({ name }) => [name, 0]),
  );
  expect(waterfallOf({ ...SCORE, evidence }).map((step) => step.evidence)).toEqual([
    ...FEATURES.map(({ name }) => name),
    'a_later_one',
  ]);
});

it('The documentation names every feature', () => {
  const page = readFileSync(join(ROOT, 'docs/attribution-model.md'), 'utf8');
  expect(FEATURES.filter(({ name }) => !page.includes(`\`${name}\``))).toEqual([]);
});

it('Two features of one name are refused', () => {
  expect(() => byName([{ name: 'base' }, { name: 'base' }], () => 0)).toThrow(TypeError);
});
