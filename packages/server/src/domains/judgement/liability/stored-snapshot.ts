import { LiabilitySettings } from '@decision-ledger/contract/liability-settings';
import type { ExchangeRate } from '@decision-ledger/contract/settings';
import { checker } from '@decision-ledger/contract/validation';
import { canonicalJson } from '@decision-ledger/proof/canonical';
import { parseJson } from '@decision-ledger/proof/gate';
import { Type } from 'typebox';
import { type Convert, converter } from './rules/amounts.js';
import { type Estimator, type Experience, estimator } from './rules/estimator.js';
import { type RiskReader, riskReader } from './rules/risk.js';
import type { SnapshotRow } from './store/snapshots.js';

/** The settings and the experience of one moment that estimates are made with. */
export interface Model {
  readonly snapshotId: number;
  readonly version: string;
  readonly currency: string;
  readonly settings: LiabilitySettings;
  readonly experience: Experience;
  readonly estimator: Estimator;
  /** Reads the facts of new decisions. */
  readonly risk: RiskReader;
  readonly convert: Convert;
}

export const NO_EXPERIENCE: Experience = { action_types: {}, dispersion: null };

const Count = Type.Integer({ minimum: 0 });
const Weights = Type.Array(Type.Number());
const checkSettings = checker(LiabilitySettings, 'settings');
const checkExperience = checker(
  Type.Object({
    // The default pattern of a record does not match line breaks.
    action_types: Type.Record(
      Type.String({ pattern: String.raw`^[\s\S]*$` }),
      Type.Object({
        variants: Type.Array(
          Type.Object({
            agent_id: Type.String(),
            variant: Type.String(),
            outcomes: Type.Array(
              Type.Object({
                confidence_bin: Count,
                oversight: Type.Enum(['none', 'human_in_loop', 'reviewer']),
                decisions: Type.Number(),
                losses: Count,
                confidence: Type.Number(),
                confidence_squares: Type.Number(),
                confidence_lost: Type.Number(),
              }),
            ),
          }),
        ),
        severity: Type.Object({ count: Count, sum: Type.Number(), squares: Type.Number() }),
        median_amount: Type.Union([Type.Number(), Type.Null()]),
      }),
    ),
    dispersion: Type.Union([Type.Object({ agents: Weights, versions: Weights }), Type.Null()]),
  }),
  'experience',
);

/** @param rates of the current settings; the day of each amount selects the rate */
export function openSnapshot(row: SnapshotRow, rates: readonly ExchangeRate[]): Model {
  const settings = checkSettings(parseJson(row.settings));
  const experience: Experience = checkExperience(parseJson(row.experience));
  return {
    snapshotId: row.snapshot_id,
    version: row.version,
    currency: row.currency,
    settings,
    experience,
    estimator: estimator(settings, experience),
    risk: riskReader(settings, row.currency),
    convert: converter(row.currency, rates),
  };
}

/** The stored form of the settings, also used for comparison. */
export function settingsText(settings: LiabilitySettings): string {
  return canonicalJson(settings);
}

export function experienceText(experience: Experience): string {
  return JSON.stringify(experience);
}
