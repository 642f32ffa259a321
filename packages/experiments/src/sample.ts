import { finish, type Steps } from '@decision-ledger/contract/steps';

/** The most assignments that are analysed; the memory of an analysis is proportional to it. */
export const MAX_ASSIGNMENTS = 1_000_000;

/** Decisions that are worked through before a calculation pauses. */
export const STEP_DECISIONS = 10_000;

/** The most arms of an experiment. */
export const MAX_ARMS = 10;

/** A matured decision of an experiment. */
export interface Observation {
  /** Place in the list of arms. */
  readonly arm: number;
  /** Place in the order in which customers first appear. */
  readonly cluster: number;
  readonly propensity: number;
  /** Net money within the horizon. */
  readonly money: number;
  /** ms. */
  readonly time: number;
  /** Mean share that counts of the events that point at it, by a link or a suggestion; null without any. */
  readonly covered: number | null;
}

/** Matured decisions in the order of their customers, as columns of numbers. */
export interface Sample {
  readonly arms: number;
  readonly decisions: number;
  readonly clusters: number;
  /** The place of the first decision of each customer, and the number of decisions at the end. */
  readonly first: Int32Array;
  readonly arm: Uint8Array;
  readonly propensity: Float64Array;
  readonly money: Float64Array;
  readonly time: Float64Array;
  /** NaN without an event. */
  readonly covered: Float64Array;
}

export interface SampleBuilder {
  add(observation: Observation): void;
  /** Puts the decisions of each customer together; within a customer their order is kept. */
  build(arms: number, clusters: number): Steps<Sample>;
}

/** @param decisions that will be added at most */
export function sampleBuilder(decisions: number): SampleBuilder {
  const arm = new Uint8Array(decisions);
  const cluster = new Int32Array(decisions);
  const propensity = new Float64Array(decisions);
  const money = new Float64Array(decisions);
  const time = new Float64Array(decisions);
  const covered = new Float64Array(decisions);
  let count = 0;
  return {
    add(one) {
      arm[count] = one.arm;
      cluster[count] = one.cluster;
      propensity[count] = one.propensity;
      money[count] = one.money;
      time[count] = one.time;
      covered[count] = one.covered ?? Number.NaN;
      count += 1;
    },
    *build(arms, clusters) {
      const first = startsOf(cluster.subarray(0, count), clusters);
      const next = first.slice();
      const sorted = {
        arm: new Uint8Array(count),
        propensity: new Float64Array(count),
        money: new Float64Array(count),
        time: new Float64Array(count),
        covered: new Float64Array(count),
      };
      for (let index = 0; index < count; index += 1) {
        if (index % STEP_DECISIONS === 0) yield;
        const own = cluster[index] ?? 0;
        const place = next[own] ?? 0;
        next[own] = place + 1;
        sorted.arm[place] = arm[index] ?? 0;
        sorted.propensity[place] = propensity[index] ?? 0;
        sorted.money[place] = money[index] ?? 0;
        sorted.time[place] = time[index] ?? 0;
        sorted.covered[place] = covered[index] ?? Number.NaN;
      }
      return { arms, decisions: count, clusters, first, ...sorted };
    },
  };
}

/** A sample of observations that are at hand. */
export function sampleOf(
  observations: readonly Observation[],
  arms: number,
  clusters: number,
): Sample {
  const builder = sampleBuilder(observations.length);
  for (const one of observations) builder.add(one);
  return finish(builder.build(arms, clusters));
}

function startsOf(cluster: Int32Array, clusters: number): Int32Array {
  const first = new Int32Array(clusters + 1);
  for (const own of cluster) first[own + 1] = (first[own + 1] ?? 0) + 1;
  for (let place = 1; place <= clusters; place += 1) {
    first[place] = (first[place] ?? 0) + (first[place - 1] ?? 0);
  }
  return first;
}

type Column = Float64Array | Int32Array | Uint8Array;

/** The value of a column at a place that exists. */
export function valueAt(column: Column, place: number): number {
  return column[place] ?? 0;
}
