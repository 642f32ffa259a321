import { RECORD_SEPARATOR, statementAbout } from '@decision-ledger/proof/bundle/frame';
import type { RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import { readJson, Shape } from '@decision-ledger/proof/bundle/shape';
import type { LineReader } from '../../archive/lines.js';
import { reason } from '../../archive/open.js';
import type { FindingCode } from '../../report/codes.js';
import type { Findings } from '../../report/findings.js';
import { Order } from '../record-lines.js';
import { compare, type Decimal, times } from './decimal.js';
import {
  type About,
  type EstimateRow,
  type MoneyRow,
  readAbout,
  readEstimateRow,
  readMoneyRow,
} from './document.js';
import { Sums } from './sums.js';

export const STATEMENT = 'statement.json';
const TAIL = ']}';

/** Reads statement.json, checks each row by itself, and compares the figures with the sums of the rows. */
export class StatementFile implements LineReader {
  /** Null until it is read, or if it cannot be. */
  about: About | null = null;
  readonly money: MoneyRow[] = [];
  readonly estimates: EstimateRow[] = [];
  readonly #manifest: RecordsManifest;
  readonly #findings: Findings;
  readonly #sums = new Sums();
  readonly #orders = { money: new Order<string>(), decision: new Order<string>() };
  readonly #ids = new Set<string>();
  #isClosed = false;

  constructor(manifest: RecordsManifest, findings: Findings) {
    this.#manifest = manifest;
    this.#findings = findings;
  }

  line(text: string, number: number): void {
    if (number === 1) this.#head(text);
    else if (this.#isClosed) this.#shape(`Line ${number} follows the end of the rows`);
    else if (text === TAIL) this.#isClosed = true;
    else this.#row(text, number);
  }

  problem(message: string, number: number): void {
    this.fail('line_unreadable', `Line ${number} ${message}.`);
  }

  /** Call after the last line. */
  end(): void {
    if (!this.#isClosed) this.#shape('The rows do not end');
    if (this.about === null) return;
    for (const { figure, stated, sum } of this.#sums.compare(this.about)) {
      if (stated === sum) continue;
      const made = sum === null ? 'its rows make no such figure' : `its rows add up to ${sum}`;
      this.fail('figure_differs', `${figure} is ${stated}; ${made}.`);
    }
    const { interval, money, exposure } = this.about;
    if (compare(interval.low, interval.high) > 0) {
      this.fail('figure_differs', `The interval of ${money.expected.net} ends before it begins.`);
    }
    const { count } = this.#manifest.decisions;
    if (exposure.decisions !== count) {
      const message = `${STATEMENT} counts ${exposure.decisions} decisions; the manifest says ${count}.`;
      this.#findings.fail('completeness', { code: 'count_differs', file: STATEMENT, message });
    }
  }

  fail(code: FindingCode, message: string, at: { seq?: number; id?: string } = {}): void {
    this.#findings.fail('integrity', { code, file: STATEMENT, ...at, message });
  }

  #shape(problem: string): void {
    this.fail('figure_shape', `${problem}.`);
  }

  #head(text: string): void {
    const json = statementAbout(text);
    try {
      if (json === null) throw new Error('it does not end with the beginning of the rows');
      this.about = readAbout(new Shape(readJson(json)));
    } catch (error) {
      this.#shape(`The first line does not have the required form: ${reason(error)}`);
      return;
    }
    const { ledger, range } = this.about;
    const { range: signed } = this.#manifest;
    if (ledger !== this.#manifest.ledger) this.#shape('It belongs to another ledger');
    if (range.start !== signed.start || range.end !== signed.end) {
      const message = `The statement is from ${range.start} to ${range.end}; the manifest says from ${signed.start} to ${signed.end}.`;
      this.fail('row_range', message);
    }
  }

  #row(text: string, number: number): void {
    const json = text.endsWith(RECORD_SEPARATOR) ? text.slice(0, -RECORD_SEPARATOR.length) : text;
    try {
      const row = new Shape(readJson(json));
      if (row.oneOf('row', ['money', 'decision']) === 'money') this.#money(readMoneyRow(row));
      else this.#estimate(readEstimateRow(row));
    } catch (error) {
      const message = `The row on line ${number} does not have the required form: ${reason(error)}.`;
      this.fail('record_unreadable', message);
    }
  }

  #money(row: MoneyRow): void {
    const { linkId: id, timestamp, eventId } = row;
    this.#place('money', timestamp, `${eventId} ${id}`, id);
    if (this.about !== null) this.#amounts(row, this.about);
    this.money.push(row);
    this.#sums.addMoney(row);
  }

  #estimate(row: EstimateRow): void {
    const { decisionId: id, timestamp } = row;
    this.#place('decision', timestamp, id, id);
    this.estimates.push(row);
    this.#sums.addEstimate(row);
  }

  #place(kind: 'money' | 'decision', timestamp: string, key: string, id: string): void {
    if (this.#ids.has(id)) this.fail('record_duplicate', 'The row appears twice.', { id });
    this.#ids.add(id);
    if (!this.#orders[kind].follows(timestamp, key)) {
      this.fail('record_order', 'The row is not in the position of its timestamp and id.', { id });
    }
    const { start, end } = this.#manifest.range;
    if (start <= timestamp && timestamp < end) return;
    this.fail('row_range', `The row is dated ${timestamp}, which is not in the range.`, { id });
  }

  /** Checks that rate and amounts of a row make each other. */
  #amounts(row: MoneyRow, about: About): void {
    const { linkId: id, rate, amount, converted } = row;
    const due = rateOf(row, about);
    const isDue = due === null || rate === null ? due === rate : compare(due, rate) === 0;
    if (!isDue) {
      const message = `The rate of ${row.currency} is not the one that the statement lists for ${row.timestamp}.`;
      this.fail('row_rate', message, { id });
    }
    const product = rate === null ? null : times(amount, rate);
    const isProduct =
      product === null || converted === null
        ? product === converted
        : compare(product, converted) === 0;
    if (!isProduct) {
      this.fail('row_amount', 'The converted amount is not the amount times the rate.', { id });
    }
  }
}

const ONE: Decimal = { units: 1n, scale: 0 };

/** The latest rate of the day or before; null if there is none. */
function rateOf(
  { currency, timestamp }: MoneyRow,
  { currency: base, rates }: About,
): Decimal | null {
  if (currency === base) return ONE;
  const day = timestamp.slice(0, 10);
  return rates.findLast(({ from, date }) => from === currency && date <= day)?.rate ?? null;
}
