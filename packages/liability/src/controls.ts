import type { LiabilitySettings } from '@decision-ledger/contract/liability-settings';
import type { Outcomes, Oversight, VariantOutcomes } from './experience.js';
import { adjustOdds, betaPosterior, type LossTally, meanOf, totalOf } from './rates.js';
import { type Axis, type Curve, type Point, ratioCurve } from './ratio-curve.js';

/** What confidence and oversight do to the odds of a loss. */
export interface Controls {
  /** Loss rate at a factor of 1, against which outcomes are compared. */
  readonly usual: number;
  readonly confidenceFactor: (agentId: string) => Curve;
  readonly humanFactors: Readonly<Record<Oversight, number>>;
}

/**
 * The controls of an action type. Outcomes move the assumed effect of confidence along a smooth curve:
 * one of all agents, and one of each agent around it.
 */
export function controlsOf(
  settings: LiabilitySettings,
  variants: readonly VariantOutcomes[],
  { expected, credibility }: { readonly expected: number; readonly credibility: number },
): Controls {
  const all = variants.flatMap(({ outcomes }) => outcomes);
  const usual = Math.min(0.5, meanOf(betaPosterior(expected, credibility, totalOf(all))));
  const humans = humanFactors(settings.oversight, all, expected);
  const assumed = assumedCurve(settings.confidence);
  const pointsOf = (outcomes: readonly Outcomes[], curve: Curve): Point[] =>
    outcomes.map(({ confidence, decisions, losses, oversight }) => {
      const mean = confidence / decisions;
      const factor = curve(mean) * humans[oversight];
      return { at: mean, losses, expected: decisions * adjustOdds(usual, factor) };
    });
  const pooled = ratioCurve(pointsOf(all, assumed), CONFIDENCES);
  const common: Curve = (confidence) => assumed(confidence) * pooled(confidence);
  const byAgent = new Map<string, Outcomes[]>();
  for (const { agent_id, outcomes } of variants) {
    byAgent.set(agent_id, [...(byAgent.get(agent_id) ?? []), ...outcomes]);
  }
  const curves = new Map<string, Curve>();
  for (const [agentId, outcomes] of byAgent) {
    const own = ratioCurve(pointsOf(outcomes, common), CONFIDENCES);
    curves.set(agentId, (confidence) => common(confidence) * own(confidence));
  }
  return {
    usual,
    confidenceFactor: (agentId) => curves.get(agentId) ?? common,
    humanFactors: humans,
  };
}

/** The assumption: the odds halve for each step of confidence above the neutral one, within limits. */
function assumedCurve({ neutral, halving, least, most }: LiabilitySettings['confidence']): Curve {
  return (confidence) => Math.min(most, Math.max(least, 2 ** ((neutral - confidence) / halving)));
}

/** Oversight is assumed to prevent at most seven of ten losses, even if a sample shows more. */
const OVERSIGHT_LIMITS = { low: 0.3, high: 1 };
/** Weight of the assumed effect of oversight, in losses. */
const CREDIBILITY = 10;

/** The factor of a reviewer is never above that of a human in the loop, nor that one above 1. */
function humanFactors(
  assumed: LiabilitySettings['oversight'],
  outcomes: readonly Outcomes[],
  expected: number,
): Readonly<Record<Oversight, number>> {
  const of = (kind: Oversight): LossTally =>
    totalOf(outcomes.filter(({ oversight }) => oversight === kind));
  const none = meanOf(betaPosterior(expected, 1, of('none')));
  const learn = (kind: 'human_in_loop' | 'reviewer', most: number): number => {
    const { decisions, losses } = of(kind);
    // Without decisions that nobody oversaw, there is nothing to compare with.
    if (of('none').losses === 0) return Math.min(most, assumed[kind]);
    const without = decisions * adjustOdds(none, assumed[kind]);
    const learned = (assumed[kind] * (CREDIBILITY + losses)) / (CREDIBILITY + without);
    return Math.min(most, Math.max(OVERSIGHT_LIMITS.low, learned));
  };
  const human_in_loop = learn('human_in_loop', OVERSIGHT_LIMITS.high);
  return { none: 1, human_in_loop, reviewer: learn('reviewer', human_in_loop) };
}

/** Confidences from 0 to 1. */
const CONFIDENCES: Axis = { from: 0, to: 1, steps: 20, width: 0.1, credibility: 10 };
