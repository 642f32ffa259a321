import { minorUnits } from '@decision-ledger/contract/currency';
import type { Big } from 'big.js';
import { type ActionGroup, groupActions } from './action-groups.js';
import { joinExperience, type LossExperience } from './experience.js';
import { INSURANCE_METHOD } from './insurance-method.js';
import { roundToFigures } from './losses.js';
import { type Bin, mergeBins, sumBins } from './merge-bins.js';
import { isFew, protectCounts } from './protect-counts.js';
import { type LossSizes, lossSizesOf } from './severity.js';

export interface InsuranceFacts {
  readonly byType: ReadonlyMap<string, LossExperience>;
  /** In descending order; decisions are named by an HMAC of their id. */
  readonly largest: readonly LargestLoss[];
  readonly currency: string;
  /** Whether all estimates are in that currency. */
  readonly hasExposure: boolean;
  readonly about: {
    readonly start: string;
    readonly end: string;
    readonly generatedAt: string;
  };
}

export interface LargestLoss {
  readonly decision: string;
  readonly loss: Big;
}

const HALF_EVEN = 2;

/** insurance.json. */
export function insuranceDocument(facts: InsuranceFacts): object {
  const { byType, currency, about } = facts;
  const groups = groupActions(byType);
  return {
    format: 'decision-ledger/insurance/v1',
    generated_at: about.generatedAt,
    period: { start: about.start, end: about.end },
    base_currency: currency,
    ...(groups === null ? TOO_FEW : describeGroups(facts, groups)),
    method: INSURANCE_METHOD,
  };
}

const TOO_FEW = { totals: { decisions: null, suppressed: true }, action_types: [] };

function describeGroups(facts: InsuranceFacts, groups: readonly ActionGroup[]) {
  const oversight = protectCounts(
    groups.map(({ sums }) => ({ of: sums.decisions, count: sums.overseen })),
  );
  const losses = protectCounts(
    groups.map(({ sums }) => ({ of: sums.decisions, count: lossesOf(sums) })),
  );
  const rows = groups.map(({ name, sums }, at) => ({
    action_type: name,
    decisions: sums.decisions,
    human_oversight: countOf(sums.overseen, sums.decisions, oversight.shown[at] === true),
    confidence: mergeBins(confidenceBins(sums)) ?? [],
    losses: countOf(lossesOf(sums), sums.decisions, losses.shown[at] === true),
    severity: losses.shown[at] === true ? severity(sums, facts.currency) : HIDDEN,
    exposure: exposureOf(sums, facts),
  }));
  const all = joinExperience(groups.map(({ sums }) => sums));
  const shown = rows.flatMap((row) => ('buckets' in row.severity ? [row.severity.buckets] : []));
  return {
    totals: {
      decisions: all.decisions,
      human_oversight: countOf(all.overseen, all.decisions, oversight.total),
      confidence: sumBins(rows.map(({ confidence }) => confidence)),
      losses: countOf(lossesOf(all), all.decisions, losses.total),
      severity: losses.total ? totalSeverity(all, facts.currency, shown) : HIDDEN,
      exposure: exposureOf(all, facts),
    },
    action_types: rows,
    largest_losses: losses.total ? largestOf(all, facts) : HIDDEN,
  };
}

const HIDDEN = { suppressed: true };

function countOf(count: number, of: number, shown: boolean) {
  return shown
    ? { count, share: of === 0 ? null : Number((count / of).toFixed(6)), suppressed: false }
    : { count: null, share: null, suppressed: true };
}

function lossesOf({ losses, unconverted }: LossExperience): number {
  return losses.count + unconverted;
}

function confidenceBins({ confidence }: LossExperience): Bin[] {
  const bins = confidence.length;
  return confidence.map((count, at) => ({ from: at / bins, to: (at + 1) / bins, count }));
}

type ShownSeverity =
  | (LossSizes & { readonly suppressed: false })
  | { readonly has_unconverted_losses: true };

function severity(sums: LossExperience, currency: string): ShownSeverity {
  if (sums.unconverted > 0) return { has_unconverted_losses: true };
  return { ...lossSizesOf(sums.losses, currency), suppressed: false };
}

/** The buckets of the total are the sum of the buckets that action types show. */
function totalSeverity(all: LossExperience, currency: string, shown: readonly (readonly Bin[])[]) {
  if (all.unconverted > 0) return { has_unconverted_losses: true };
  const { buckets: _, ...figures }: LossSizes = lossSizesOf(all.losses, currency);
  return { ...figures, buckets: sumBins(shown), suppressed: false };
}

function exposureOf({ expected }: LossExperience, { currency, hasExposure }: InsuranceFacts) {
  return hasExposure ? expected.toFixed(minorUnits(currency), HALF_EVEN) : null;
}

/** Hidden if they are few or if some cannot be converted. */
function largestOf(all: LossExperience, { largest }: InsuranceFacts): object {
  if (all.unconverted > 0) return { has_unconverted_losses: true };
  if (isFew(largest.length)) return HIDDEN;
  return largest.map(({ decision, loss }) => ({ decision, loss: roundToFigures(loss) }));
}
