import { Big } from 'big.js';
import type { Database } from '../../../platform/database.js';
import { inTurns } from '../../../platform/in-turns.js';
import type { Scope } from '../../../platform/scope.js';
import { metadataTerm } from '../../record/decisions/index.js';
import type { CovariateColumn } from './rules/comparison.js';
import type { ExperimentRequest } from './rules/request.js';
import { type Sample, type SampleBuilder, sampleBuilder } from './rules/sample.js';
import {
  type Conversion,
  type FirstAssignment,
  type OutcomeRow,
  selectHistory,
  selectOutcomes,
} from './store/outcomes.js';

/** Decisions, and customers, that one statement reads. */
const PAGE = 2000;
const CUSTOMER_PAGE = 500;

/** What is asked, of which experiment. */
export interface Reading {
  readonly scope: Scope;
  readonly experimentId: string;
  readonly request: ExperimentRequest;
  readonly conversion: Conversion;
  /** By name. */
  readonly arms: readonly string[];
}

/** Exact sums of an arm. */
export interface ArmSums {
  net: Big;
  savings: Big;
}

export interface Loaded {
  readonly sample: Sample;
  readonly sums: readonly ArmSums[];
  readonly withoutCustomer: number;
  /** The first assignment of each customer in time; null for a decision without a known customer. */
  first(cluster: number): FirstAssignment | null;
}

/** Reads matured decisions page by page. A million take about 60 MB, as columns of numbers. */
export async function loadSample(db: Database, reading: Reading, matured: number): Promise<Loaded> {
  const { scope, experimentId, request, conversion, arms } = reading;
  const builder = sampleBuilder(matured);
  const customers = new Customers(reading, matured);
  const sums = arms.map((): ArmSums => ({ net: new Big(0), savings: new Big(0) }));
  let after = 0;
  // The columns hold `matured` decisions: those recorded since it was counted are left out.
  for (let left = matured; left > 0; ) {
    const limit = Math.min(PAGE, left);
    const rows = await selectOutcomes(db, scope, experimentId, request, conversion, after, limit);
    addRows(rows, arms, { builder, customers, sums });
    left -= limit;
    after = rows.at(-1)?.seq ?? Number.MAX_SAFE_INTEGER;
    if (rows.length < limit) break;
  }
  return {
    sample: await inTurns(builder.build(arms.length, customers.count)),
    sums,
    withoutCustomer: customers.unknown,
    first: (cluster) => customers.first(cluster),
  };
}

interface Targets {
  readonly builder: SampleBuilder;
  readonly customers: Customers;
  readonly sums: readonly ArmSums[];
}

function addRows(
  rows: readonly OutcomeRow[],
  arms: readonly string[],
  { builder, customers, sums }: Targets,
): void {
  const places = new Map(arms.map((arm, place) => [arm, place]));
  const seen = new Set<number>();
  for (const row of rows) {
    const arm = places.get(row.arm);
    if (arm === undefined) continue;
    const { propensity, net: money } = row;
    // A decision without a propensity is only counted: the arms are then not compared.
    builder.add({ arm, cluster: customers.place(row), propensity: propensity || 1, money });
    const own = sums[arm];
    if (own === undefined || seen.has(arm)) continue;
    seen.add(arm);
    own.net = own.net.plus(row.arm_net);
    own.savings = own.savings.plus(row.arm_savings);
  }
}

/** Numbers the customers in the order in which they first appear. */
class Customers {
  count = 0;
  unknown = 0;
  readonly #places = new Map<number, number>();
  readonly #seq: Float64Array;
  readonly #time: Float64Array;
  readonly #term: Int32Array;
  readonly #hasTerm: Uint8Array;
  readonly #termOf: (text: string) => number;

  constructor({ scope, request }: Reading, decisions: number) {
    this.#seq = new Float64Array(decisions);
    this.#time = new Float64Array(decisions);
    this.#term = new Int32Array(decisions);
    this.#hasTerm = new Uint8Array(decisions);
    this.#termOf = (text) => metadataTerm(scope.ledgerId, request.customerKey, text);
  }

  place({ cluster, customer, seq, timestamp }: OutcomeRow): number {
    const known = cluster === null ? undefined : this.#places.get(cluster);
    const place = known ?? this.count;
    if (known === undefined) {
      this.count += 1;
      if (cluster === null) this.unknown += 1;
      else this.#places.set(cluster, place);
      if (customer !== null) {
        this.#term[place] = this.#termOf(customer);
        this.#hasTerm[place] = 1;
      }
    }
    if (known === undefined || timestamp < (this.#time[place] ?? 0)) {
      this.#seq[place] = seq;
      this.#time[place] = timestamp;
    }
    return place;
  }

  first(cluster: number): FirstAssignment | null {
    if (this.#hasTerm[cluster] !== 1) return null;
    return { seq: this.#seq[cluster] ?? 0, term: this.#term[cluster] ?? 0 };
  }
}

/** Reads what the ledger knew of each customer before its first assignment. */
export async function loadCovariates(
  db: Database,
  { scope, request, conversion }: Reading,
  { sample, first }: Loaded,
): Promise<readonly CovariateColumn[]> {
  if (request.covariates.length === 0) return [];
  const values = {
    prior_net: new Float64Array(sample.clusters),
    prior_decisions: new Float64Array(sample.clusters),
  };
  for (let start = 0; start < sample.clusters; start += CUSTOMER_PAGE) {
    const end = Math.min(sample.clusters, start + CUSTOMER_PAGE);
    const page: { cluster: number; own: FirstAssignment }[] = [];
    for (let cluster = start; cluster < end; cluster += 1) {
      const own = first(cluster);
      if (own !== null) page.push({ cluster, own });
    }
    if (page.length === 0) continue;
    const customers = page.map(({ own }) => own);
    for (const row of await selectHistory(db, scope, request, conversion, customers)) {
      const cluster = page[row.place - 1]?.cluster;
      if (cluster === undefined) continue;
      values.prior_net[cluster] = row.net;
      values.prior_decisions[cluster] = row.decisions;
    }
  }
  return request.covariates.map((name) => ({ name, values: values[name] }));
}
