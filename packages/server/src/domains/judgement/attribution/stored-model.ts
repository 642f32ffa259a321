import { createHash } from 'node:crypto';
import { ATTRIBUTION_VERSION, type ModelSnapshot } from '@decision-ledger/attribution/snapshot';
import { AttributionSettings } from '@decision-ledger/contract/attribution';
import { byName, FEATURES } from '@decision-ledger/contract/attribution-signals';
import { checker } from '@decision-ledger/contract/validation';
import { canonicalJson } from '@decision-ledger/proof/canonical';
import { parseJson } from '@decision-ledger/proof/gate';
import { Type } from 'typebox';
import type { ModelRow } from './store/models.js';

/** A model of a ledger with its number. */
export interface ScoringModel {
  /** 0 before the first model is stored. */
  readonly id: number;
  readonly snapshot: ModelSnapshot;
}

const Count = Type.Integer({ minimum: 0 });
const Text = Type.String();
const Lags = Type.Object({ mean: Type.Number(), sd: Type.Number(), count: Type.Number() });

const Kind = Type.Object({
  key: Type.Integer(),
  values: Type.Array(
    Type.Object({
      value: Type.Integer(),
      log_odds: Type.Number(),
      log_odds_apart: Type.Number(),
      causeless: Type.Number(),
    }),
  ),
});

const checkSnapshot = checker(
  Type.Object({
    version: Type.Literal(ATTRIBUTION_VERSION),
    as_of_day: Type.Integer(),
    weights: Type.Object(byName(FEATURES, () => Type.Number())),
    unrecorded: Type.Number(),
    pairs: Type.Array(
      Type.Object({
        action_type: Text,
        event_type: Text,
        compatibility: Type.Number(),
        lags: Lags,
      }),
    ),
    events: Type.Array(
      Type.Object({
        event_type: Text,
        log_odds: Type.Number(),
        log_odds_apart: Type.Number(),
        causeless: Type.Number(),
        kind: Type.Union([Kind, Type.Null()]),
        lags: Lags,
      }),
    ),
    lags: Lags,
    agents: Type.Array(
      Type.Object({
        agent_id: Text,
        action_type: Text,
        event_type: Text,
        log_odds: Type.Number(),
      }),
    ),
    clocks: Type.Array(Type.Object({ agent_id: Text, event_type: Text, minutes: Type.Integer() })),
    keys: Type.Array(
      Type.Object({
        key: Type.Integer(),
        log_holders: Type.Number(),
        events: Type.Number(),
        matched: Type.Number(),
        log_events: Type.Number(),
      }),
    ),
    amounts: Type.Array(
      Type.Object({ event_type: Text, other: Type.Number(), none: Type.Number() }),
    ),
    settings: AttributionSettings,
    learned_from: Type.Object({
      reviews: Count,
      manual: Count,
      audits: Count,
      identified: Count,
    }),
  }),
  'snapshot',
);

/** @throws LedgerError `validation_error` for a model of another version */
export function openModel(row: Pick<ModelRow, 'model_id' | 'snapshot'>): ScoringModel {
  return { id: row.model_id, snapshot: checkSnapshot(parseJson(row.snapshot)) };
}

/** The stored form of a snapshot: canonical JSON, so that equal models are equal texts. */
export function snapshotText(snapshot: ModelSnapshot): string {
  return canonicalJson(parseJson(JSON.stringify(snapshot)));
}

/** SHA-256 of the stored form, as the activity chain records it: hexadecimal. */
export const snapshotDigest = (text: string): string =>
  createHash('sha256').update(text).digest('hex');

/** The stored form of the settings, also used for comparison. */
export function settingsText(settings: AttributionSettings): string {
  return canonicalJson(settings);
}

const checkSettings = checker(AttributionSettings, 'settings');

export function openSettingsText(text: string): AttributionSettings {
  return checkSettings(parseJson(text));
}
