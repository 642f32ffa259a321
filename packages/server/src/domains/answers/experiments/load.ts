import {
  type Sample,
  type SampleBuilder,
  sampleBuilder,
} from '@decision-ledger/experiments/sample';
import { Big } from 'big.js';
import { inTurns } from '../../../platform/in-turns.js';
import type { Ledger } from '../../../platform/ledger.js';
import { metadataTerm } from '../../record/decisions/index.js';
import type { ExperimentRequest } from './rules/request.js';
import { selectPageBounds } from './store/assignments.js';
import type { FirstAssignment } from './store/history.js';
import {
  type CurrencyConversion,
  type MaturedRange,
  type OutcomeMoneyRow,
  type OutcomeRow,
  selectMaturedOutcomes,
  selectMoney,
} from './store/outcomes.js';

/** Decisions that one statement reads, and statements that run at a time. */
const PAGE = 2000;
export const READ_AHEAD = 2;

/** What is asked, of which experiment. */
export interface Reading {
  readonly ledger: Ledger;
  readonly experimentId: string;
  readonly request: ExperimentRequest;
  readonly conversion: CurrencyConversion;
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
  /** The place of the customer with this hash; null if no decision of it was read. */
  placeOf(hash: number): number | null;
}

/** The matured decisions when they were counted; later ones are left out. */
export interface Matured {
  readonly matured: number;
  /** Position of the last one in the chain. */
  readonly last_seq: number;
}

/** Reads matured decisions page by page. A million take about 75 MB, as columns of numbers. */
export async function loadSample(
  reading: Reading,
  { matured, last_seq }: Matured,
): Promise<Loaded> {
  const { ledger, experimentId, request, conversion, arms } = reading;
  const builder = sampleBuilder(matured);
  const customers = new Customers(reading, matured);
  const sums = arms.map((): ArmSums => ({ net: new Big(0), savings: new Big(0) }));
  const bounds = await selectPageBounds(ledger, experimentId, request.maturedUntil, PAGE);
  const ends = [...bounds.filter((bound) => bound < last_seq), last_seq];
  const pages = ends.map((until, place) => ({ after: ends[place - 1] ?? 0, until }));
  const read = (page: MaturedRange) =>
    Promise.all([
      selectMaturedOutcomes(ledger, experimentId, request, page),
      selectMoney(ledger, experimentId, request, conversion, page),
    ]);
  for await (const [rows, money] of readAhead(pages, READ_AHEAD, read)) {
    addRows(rows, money, arms, { builder, customers, sums });
  }
  return {
    sample: await inTurns(builder.build(arms.length, customers.count)),
    sums,
    withoutCustomer: customers.unknown,
    first: (cluster) => customers.first(cluster),
    placeOf: (hash) => customers.placeOf(hash),
  };
}

interface Targets {
  readonly builder: SampleBuilder;
  readonly customers: Customers;
  readonly sums: readonly ArmSums[];
}

function addRows(
  rows: readonly OutcomeRow[],
  moneyRows: readonly OutcomeMoneyRow[],
  arms: readonly string[],
  { builder, customers, sums }: Targets,
): void {
  const places = new Map(arms.map((arm, place) => [arm, place]));
  const moved = new Map(moneyRows.map((row) => [row.seq, row]));
  for (const row of rows) {
    const arm = places.get(row.arm);
    if (arm === undefined) continue;
    const { seq, propensity, timestamp: time } = row;
    const own = moved.get(seq);
    // A decision without a propensity is only counted: the arms are then not compared.
    const cluster = customers.place(row);
    const money = Number(own?.net ?? 0);
    const covered = own?.covered ?? null;
    builder.add({ arm, cluster, propensity: propensity || 1, money, time, covered });
    const sum = sums[arm];
    if (own === undefined || sum === undefined) continue;
    sum.net = sum.net.plus(own.net);
    sum.savings = sum.savings.plus(own.savings);
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

  constructor({ ledger, request }: Reading, decisions: number) {
    this.#seq = new Float64Array(decisions);
    this.#time = new Float64Array(decisions);
    this.#term = new Int32Array(decisions);
    this.#hasTerm = new Uint8Array(decisions);
    this.#termOf = (text) => metadataTerm(ledger.ledgerId, request.customerKey, text);
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
    const [seq, timestamp] = [this.#seq[cluster] ?? 0, this.#time[cluster] ?? 0];
    return { seq, timestamp, term: this.#term[cluster] ?? 0 };
  }

  placeOf(hash: number): number | null {
    return this.#places.get(hash) ?? null;
  }
}

/**
 * Reads items in their order while the next ones are already being read.
 * @param depth how many are read at a time
 * @throws whatever the first failed read throws
 */
export async function* readAhead<Item, Result>(
  items: readonly Item[],
  depth: number,
  read: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const waiting: Promise<Result>[] = [];
  let next = 0;
  const start = () => {
    const item = items[next];
    if (item === undefined) return;
    next += 1;
    const reading = read(item);
    // It is awaited in its turn, or not at all after an earlier one has failed.
    reading.catch(() => undefined);
    waiting.push(reading);
  };
  for (let count = 0; count < depth; count += 1) start();
  for (let own = waiting.shift(); own !== undefined; own = waiting.shift()) {
    const result = await own;
    start();
    yield result;
  }
}
