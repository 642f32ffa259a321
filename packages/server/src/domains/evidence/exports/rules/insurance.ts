import { minorUnits } from '@decision-ledger/contract/currency';
import type { Big } from 'big.js';
import {
  type ActionGroup,
  groupActions,
  joinExperience,
  type LossExperience,
} from './experience.js';
import { type LossSizes, lossSizesOf, roundToFigures } from './losses.js';
import { type Bin, isFew, mergeBins, protectCounts, sumBins } from './protect-counts.js';

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

/** Explains how the figures of an insurance bundle are made. */
export const INSURANCE_METHOD = [
  'The bundle covers decisions with a timestamp in the period. Their links and estimates are those of ' +
    'the time when the bundle was made.',
  'Human oversight: a human was in the loop, or a reviewer is named.',
  'A loss is a decision whose confirmed links of type loss, less recoveries, sum to more than zero. The ' +
    'amount of an event is divided among its links by strength.',
  'Amounts are converted into the base currency by the latest rate dated on or before the day of the ' +
    'event. A loss that no rate converts is counted, and "has_unconverted_losses" replaces the amounts.',
  'median, p95 and max are nearest ranks. They and the largest losses are rounded to two significant ' +
    'figures. sum and mean are rounded to the minor unit.',
  'Exposure is the sum of the costs still expected, without realised losses. It is null while estimates ' +
    'are in another currency.',
  'Action types with fewer than 5 decisions, or with a name that is not clearly an action, are combined ' +
    'in "other". So are those that first occur after 5000 others.',
  'A count of 1 to 4, or one that leaves 1 to 4 of its group, is suppressed. The counts of smaller ' +
    'groups are suppressed with it, and as many more as needed so that totals do not reveal it.',
  'Bins of a histogram with a count of 1 to 4 are merged with their neighbours. The bins of totals have ' +
    'the bounds that all action types share, and count the action types that show their bins.',
  'A decision in the largest losses is named by an HMAC-SHA-256 of its id under a secret of this export, ' +
    'derived from the master key of the service. Only a holder of that key and the ledger can identify ' +
    'it.',
];
