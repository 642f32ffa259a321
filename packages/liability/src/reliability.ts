import type { Estimator } from './estimator.js';
import type { Experience, Outcomes, Oversight } from './experience.js';
import { adjustOdds } from './rates.js';

/** Decisions of an agent whose stated confidence lies in one tenth. */
export interface ReliabilityBin {
  /** 0 to 9: bin 7 contains confidences from 0.7 to below 0.8. */
  readonly bin: number;
  /** Resolved decisions; recent ones count in part. */
  readonly decisions: number;
  readonly losses: number;
  readonly mean_confidence: number;
  /** Share without a loss. */
  readonly observed_success: number;
  /** Share of losses that the model expects now. */
  readonly expected_loss_rate: number;
}

export interface AgentReliability {
  readonly agent_id: string;
  readonly decisions: number;
  readonly losses: number;
  /** Losses that the stated confidence implied: the sum of 1 − confidence. */
  readonly stated_losses: number;
  readonly expected_losses: number;
  /** Mean of (confidence − outcome)², an outcome without a loss being 1. */
  readonly brier: number;
  readonly bins: readonly ReliabilityBin[];
}

interface Sums {
  decisions: number;
  losses: number;
  confidence: number;
  squares: number;
  lost: number;
  expected: number;
}

/** How the stated confidence of each agent compares with outcomes, most decisions first. */
export function reliabilityOf(
  { action_types }: Experience,
  estimator: Estimator,
  limit: number,
): AgentReliability[] {
  const byAgent = new Map<string, Sums[]>();
  for (const [actionType, { variants }] of Object.entries(action_types)) {
    const model = estimator.modelOf(actionType);
    for (const { agent_id, variant, size_factor, outcomes } of variants) {
      const bins = byAgent.get(agent_id) ?? Array.from({ length: 10 }, nothing);
      byAgent.set(agent_id, bins);
      const { rate } = model.rateOf(agent_id, variant).version;
      const factorOf = model.controls.confidenceFactor(agent_id);
      for (const outcome of outcomes) {
        const human = model.controls.humanFactors[outcome.oversight satisfies Oversight];
        const factor = factorOf(outcome.confidence / outcome.decisions) * human * size_factor;
        add(bins[outcome.confidence_bin], outcome, adjustOdds(rate, factor));
      }
    }
  }
  return [...byAgent]
    .filter(([agentId]) => agentId !== '')
    .map(([agentId, bins]) => describe(agentId, bins))
    .sort((a, b) => b.decisions - a.decisions || (a.agent_id < b.agent_id ? -1 : 1))
    .slice(0, limit);
}

const nothing = (): Sums => ({
  decisions: 0,
  losses: 0,
  confidence: 0,
  squares: 0,
  lost: 0,
  expected: 0,
});

function add(sums: Sums | undefined, outcome: Outcomes, probability: number): void {
  if (sums === undefined) return;
  sums.decisions += outcome.decisions;
  sums.losses += outcome.losses;
  sums.confidence += outcome.confidence;
  sums.squares += outcome.confidence_squares;
  sums.lost += outcome.confidence_lost;
  sums.expected += outcome.decisions * probability;
}

function describe(agentId: string, bins: readonly Sums[]): AgentReliability {
  const sum = (value: (bin: Sums) => number) => bins.reduce((all, bin) => all + value(bin), 0);
  const decisions = sum((bin) => bin.decisions);
  // Σ (c − y)² = Σ c² − 2 Σ c y + Σ y, where y is 1 without a loss.
  const errors = sum(
    ({ squares, confidence, lost, decisions: all, losses }) =>
      squares - 2 * (confidence - lost) + (all - losses),
  );
  return {
    agent_id: agentId,
    decisions,
    losses: sum(({ losses }) => losses),
    stated_losses: sum((bin) => bin.decisions - bin.confidence),
    expected_losses: sum(({ expected }) => expected),
    brier: decisions === 0 ? 0 : errors / decisions,
    bins: bins.flatMap((bin, index) =>
      bin.decisions === 0
        ? []
        : [
            {
              bin: index,
              decisions: bin.decisions,
              losses: bin.losses,
              mean_confidence: bin.confidence / bin.decisions,
              observed_success: 1 - bin.losses / bin.decisions,
              expected_loss_rate: bin.expected / bin.decisions,
            },
          ],
    ),
  };
}
