import { LiabilityDrift } from '@decision-ledger/contract/alert';
import { checker } from '@decision-ledger/contract/validation';
import {
  type Drift,
  type DriftState,
  NO_DRIFT,
  watchDrift,
} from '@decision-ledger/liability/drift';
import type { Experience, VariantOutcomes } from '@decision-ledger/liability/experience';
import { adjustOdds } from '@decision-ledger/liability/rates';
import { parseJson } from '@decision-ledger/proof/gate';
import { type Static, Type } from 'typebox';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import { announce } from '../../log/announcements/index.js';
import { versionOf } from './recorded-risk.js';
import {
  type DriftStateRow,
  insertDrifts,
  selectDriftStates,
  selectLiabilityDrifts,
  selectVariantSample,
  upsertDriftStates,
} from './store/forecasts.js';
import { selectRecorded } from './store/subjects.js';
import type { EstimationModel } from './stored-snapshot.js';

const Since = Type.Object({
  decisions: Type.Number(),
  losses: Type.Number(),
  expected: Type.Number(),
});
const State = Type.Object({
  ...{ up: Type.Number(), down: Type.Number(), sinceUp: Since, sinceDown: Since },
  ...{ decisions: Type.Number(), losses: Type.Number() },
});
const checkState = checker(State, 'state');
/** A drift as it is stored: what it is about follows from the table. */
const StoredDrift = Type.Omit(LiabilityDrift, ['subject']);
type StoredDrift = Static<typeof StoredDrift>;
const checkDrift = checker(StoredDrift, 'drift');

/** Sums over the action types of one version of an agent. */
interface Watched {
  readonly agentId: string;
  readonly variant: string;
  decisions: number;
  losses: number;
  /** Losses that the former model expects of these decisions. */
  expected: number;
  /** Whether that expectation rests on own outcomes. */
  isKnown: boolean;
}

/**
 * Compares what became known since the last night with what the model expected then, for each version of
 * each agent, and stores and announces the drifts that are found.
 * @param former the model before it learned
 * @param at ms
 */
export async function detectDrift(
  tx: LedgerWriter,
  former: EstimationModel,
  experience: Experience,
  at: number,
): Promise<void> {
  const states = new Map(
    (await selectDriftStates(tx)).map((row) => [keyOf(row.agent_id, row.variant), row]),
  );
  const rows: DriftStateRow[] = [];
  const found: StoredDrift[] = [];
  for (const watched of watchedIn(former, experience)) {
    const { agentId, variant, decisions, losses, expected, isKnown } = watched;
    const stored = states.get(keyOf(agentId, variant));
    const before = stored === undefined ? (isKnown ? NO_DRIFT : null) : readState(stored.state);
    const rate = decisions === 0 ? 0 : expected / decisions;
    const { state, drift } = watchDrift(before, { decisions, losses }, rate);
    const text = JSON.stringify(state);
    if (text !== stored?.state) rows.push({ agent_id: agentId, variant, state: text });
    if (drift === null || !isKnown) continue;
    const version = await nameVersion(tx, former, agentId, variant);
    found.push(describe(drift, agentId, version));
  }
  if (rows.length > 0) await upsertDriftStates(tx, rows);
  if (found.length > 0) await keepDrifts(tx, found, at);
}

async function keepDrifts(
  tx: LedgerWriter,
  found: readonly StoredDrift[],
  at: number,
): Promise<void> {
  await insertDrifts(
    tx,
    found.map((data) => JSON.stringify(data)),
    at,
  );
  const subject = uuidToId('led', tx.ledgerId);
  const data = found.map((drift) => ({ subject: 'liability' as const, ...drift }));
  await announce(
    tx,
    data.map((drift) => ({ type: 'drift.detected', subject, data: drift })),
    at,
  );
}

/** Drifts found after a number, oldest first. */
export async function listLiabilityDrifts(
  ledger: LedgerReader,
  after: number,
  limit: number,
): Promise<{ readonly found: number; readonly at: number; readonly data: LiabilityDrift }[]> {
  const rows = await selectLiabilityDrifts(ledger, after, limit);
  return rows.map(({ found, detected_at, data }) => ({
    found,
    at: detected_at,
    data: { subject: 'liability', ...checkDrift(parseJson(data)) },
  }));
}

const keyOf = (agentId: string, variant: string): string => `${variant} ${agentId}`;

function readState(text: string): DriftState {
  const state: Static<typeof State> = checkState(parseJson(text));
  return state;
}

function watchedIn(
  { estimator }: EstimationModel,
  { action_types }: Experience,
): Iterable<Watched> {
  const byKey = new Map<string, Watched>();
  for (const [actionType, { variants }] of Object.entries(action_types)) {
    const model = estimator.modelOf(actionType);
    for (const own of variants) {
      const { agent_id: agentId, variant } = own;
      if (agentId === '') continue;
      const key = keyOf(agentId, variant);
      const sums = byKey.get(key) ?? {
        ...{ agentId, variant, decisions: 0, losses: 0, expected: 0, isKnown: true },
      };
      const { rate } = model.rateOf(agentId, variant).version;
      add(sums, own, (confidence, oversight) =>
        adjustOdds(
          rate,
          model.controls.confidenceFactor(agentId)(confidence) *
            model.controls.humanFactors[oversight],
        ),
      );
      if (model.isPrior) sums.isKnown = false;
      byKey.set(key, sums);
    }
  }
  return byKey.values();
}

function add(
  sums: Watched,
  { outcomes }: VariantOutcomes,
  probability: (
    confidence: number,
    oversight: VariantOutcomes['outcomes'][number]['oversight'],
  ) => number,
): void {
  for (const { decisions, losses, confidence, oversight } of outcomes) {
    sums.decisions += decisions;
    sums.losses += losses;
    sums.expected += decisions * probability(confidence / decisions, oversight);
  }
}

/** The version as the metadata of its last decision name it; null if none do, or they were erased. */
async function nameVersion(
  tx: LedgerReader,
  model: EstimationModel,
  agentId: string,
  variant: string,
): Promise<string | null> {
  const seq = variant === '' ? null : await selectVariantSample(tx, agentId, variant);
  if (seq === null) return null;
  const [row] = await selectRecorded(tx, { seqs: [seq] });
  return row === undefined ? null : versionOf(model, row);
}

const round = (value: number): number => Math.round(value * 1e6) / 1e6;

function describe(
  { direction, since }: Drift,
  agentId: string,
  version: string | null,
): StoredDrift {
  return {
    metric: 'loss_rate',
    agent_id: agentId,
    version,
    direction,
    decisions: Math.round(since.decisions),
    losses: since.losses,
    expected_losses: round(since.expected),
  };
}
