import type { LineReader } from '../archive/lines.js';
import { reason } from '../archive/open.js';
import type { Findings } from '../report/findings.js';
import { readJson, Shape } from './shape.js';

/** What looks at one record of an array. What it throws becomes a finding. */
export type RecordReader = (record: Shape) => void;

/** The line in front of the records, and the one behind them. */
export interface Frame {
  readonly head: string;
  readonly tail: string;
}

const ARRAY: Frame = { head: '[', tail: ']' };

/**
 * Reads an array that has one record a line: `[`, the records with a comma behind all but the last,
 * `]`, or what else frames them. So a file of any size is read in the memory of one record.
 */
export class RecordLines implements LineReader {
  count = 0;
  readonly #file: string;
  readonly #read: RecordReader;
  readonly #findings: Findings;
  readonly #frame: Frame;
  #isOpen = false;
  #isClosed = false;
  #hasComma = true;

  constructor(file: string, findings: Findings, read: RecordReader, frame = ARRAY) {
    this.#file = file;
    this.#findings = findings;
    this.#read = read;
    this.#frame = frame;
  }

  line(text: string, number: number): void {
    if (!this.#isOpen) {
      this.#isOpen = true;
      const { head } = this.#frame;
      if (text !== head) this.#form(number, `is not ${JSON.stringify(head)}`);
    } else if (this.#isClosed) {
      this.#form(number, 'stands behind the end of the array');
    } else if (text === this.#frame.tail) {
      this.#isClosed = true;
      if (this.#hasComma && this.count > 0) this.#form(number, 'follows on a comma');
    } else {
      this.#record(text, number);
    }
  }

  problem(message: string, number: number): void {
    const [file, code] = [this.#file, 'line_unreadable' as const];
    this.#findings.fail('integrity', { code, file, message: `Line ${number} ${message}.` });
  }

  /** After the last line. */
  end(): void {
    if (!this.#isClosed) {
      const [file, code] = [this.#file, 'array_form' as const];
      this.#findings.fail('integrity', { code, file, message: 'The array does not end.' });
    }
  }

  #record(text: string, number: number): void {
    if (!this.#hasComma && this.count > 0) this.#form(number, 'stands behind no comma');
    this.#hasComma = text.endsWith(',');
    this.count++;
    try {
      this.#read(new Shape(readJson(this.#hasComma ? text.slice(0, -1) : text)));
    } catch (error) {
      const [file, code] = [this.#file, 'record_unreadable' as const];
      const message = `The record on line ${number} is not in its form: ${reason(error)}.`;
      this.#findings.fail('integrity', { code, file, message });
    }
  }

  #form(number: number, problem: string): void {
    const [file, code] = [this.#file, 'array_form' as const];
    this.#findings.fail('integrity', { code, file, message: `Line ${number} ${problem}.` });
  }
}
