import { LiabilitySettings } from '@decision-ledger/contract/liability-settings';
import { ExchangeRate, type Settings } from '@decision-ledger/contract/settings';
import { PayloadUnits } from '@decision-ledger/contract/source-profiles';
import { checker } from '@decision-ledger/contract/validation';
import { type Estimator, estimator } from '@decision-ledger/liability/estimator';
import type { Experience } from '@decision-ledger/liability/experience';
import { type RiskReader, riskReader } from '@decision-ledger/liability/risk';
import { canonicalJson } from '@decision-ledger/proof/canonical';
import { parseJson } from '@decision-ledger/proof/gate';
import { Type } from 'typebox';
import { type Convert, converter } from './rules/amounts.js';
import type { SnapshotRow } from './store/snapshots.js';

/** The settings, the exchange rates and the experience of one moment that estimates are made with. */
export interface EstimationModel {
  readonly snapshotId: number;
  readonly version: string;
  readonly currency: string;
  readonly settings: LiabilitySettings;
  /** What the profiles of sources say of units in payloads. */
  readonly payload_units: readonly PayloadUnits[];
  readonly experience: Experience;
  readonly estimator: Estimator;
  /** Reads the facts of new decisions. */
  readonly risk: RiskReader;
  readonly convert: Convert;
}

export const NO_EXPERIENCE: Experience = { action_types: {}, dispersion: null };

const Count = Type.Integer({ minimum: 0 });
const Weights = Type.Array(Type.Number());
const checkRates = checker(Type.Array(ExchangeRate), 'rates');
/** The settings of liability, and what the profiles of sources say of units in payloads. */
const StoredSettings = Type.Object(
  { ...LiabilitySettings.properties, payload_units: Type.Array(PayloadUnits) },
  { additionalProperties: false },
);
const checkSettings = checker(StoredSettings, 'settings');
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
            size_factor: Type.Number(),
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
        sizes: Type.Array(
          Type.Object({
            band: Type.Integer(),
            decisions: Type.Number(),
            losses: Count,
            expected: Type.Number(),
          }),
        ),
        severity: Type.Object({ count: Count, sum: Type.Number(), squares: Type.Number() }),
        median_amount: Type.Union([Type.Number(), Type.Null()]),
        largest_amount: Type.Union([Type.Number(), Type.Null()]),
      }),
    ),
    dispersion: Type.Union([Type.Object({ agents: Weights, versions: Weights }), Type.Null()]),
  }),
  'experience',
);

export function openSnapshot(row: SnapshotRow): EstimationModel {
  const stored = checkSettings(parseJson(row.settings));
  const { payload_units, ...settings } = stored;
  const experience: Experience = checkExperience(parseJson(row.experience));
  return {
    snapshotId: row.snapshot_id,
    version: row.version,
    currency: row.currency,
    settings,
    payload_units,
    experience,
    estimator: estimator(settings, experience),
    risk: riskReader(stored, row.currency),
    convert: converter(row.currency, checkRates(parseJson(row.rates))),
  };
}

/** What settings contribute to a snapshot. */
export function settingsRow({
  base_currency,
  exchange_rates,
  liability,
  attribution: { profiles, default_profiles },
}: Pick<Settings, 'base_currency' | 'exchange_rates' | 'liability' | 'attribution'>): Pick<
  SnapshotRow,
  'currency' | 'settings' | 'rates'
> {
  const payload_units = [...profiles, ...default_profiles].flatMap(({ units = [] }) => units);
  return {
    currency: base_currency,
    settings: canonicalJson({ ...liability, payload_units }),
    rates: canonicalJson(exchange_rates.filter(({ to }) => to === base_currency)),
  };
}

export function experienceText(experience: Experience): string {
  return JSON.stringify(experience);
}
