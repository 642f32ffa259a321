import type { FileName } from '@decision-ledger/proof/bundle/format';
import { ARRAY_FRAME, type Frame, RECORD_SEPARATOR } from '@decision-ledger/proof/bundle/frame';
import { readJson, Shape } from '@decision-ledger/proof/bundle/shape';
import type { LineReader } from '../archive/lines.js';
import { reason } from '../archive/open.js';
import type { Findings } from '../report/findings.js';

/** Checks one record. Errors that it throws become findings. */
export type RecordReader = (record: Shape) => void;

/** Reads an array with one record per line, one record at a time. */
export class RecordLines implements LineReader {
  count = 0;
  readonly #file: FileName;
  readonly #read: RecordReader;
  readonly #findings: Findings;
  readonly #frame: Frame;
  #isOpen = false;
  #isClosed = false;
  #hasComma = true;

  constructor(file: FileName, findings: Findings, read: RecordReader, frame: Frame = ARRAY_FRAME) {
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
      this.#form(number, 'follows the end of the array');
    } else if (text === this.#frame.tail) {
      this.#isClosed = true;
      if (this.#hasComma && this.count > 0) this.#form(number, 'follows a comma');
    } else {
      this.#record(text, number);
    }
  }

  problem(message: string, number: number): void {
    const [file, code] = [this.#file, 'line_unreadable' as const];
    this.#findings.fail('integrity', { code, file, message: `Line ${number} ${message}.` });
  }

  /** Call after the last line. */
  end(): void {
    if (!this.#isClosed) {
      const [file, code] = [this.#file, 'array_form' as const];
      this.#findings.fail('integrity', { code, file, message: 'The array does not end.' });
    }
  }

  #record(text: string, number: number): void {
    if (!this.#hasComma && this.count > 0) this.#form(number, 'does not follow a comma');
    this.#hasComma = text.endsWith(RECORD_SEPARATOR);
    this.count++;
    try {
      this.#read(
        new Shape(readJson(this.#hasComma ? text.slice(0, -RECORD_SEPARATOR.length) : text)),
      );
    } catch (error) {
      const [file, code] = [this.#file, 'record_unreadable' as const];
      const message = `The record on line ${number} does not have the required form: ${reason(error)}.`;
      this.#findings.fail('integrity', { code, file, message });
    }
  }

  #form(number: number, problem: string): void {
    const [file, code] = [this.#file, 'array_form' as const];
    this.#findings.fail('integrity', { code, file, message: `Line ${number} ${problem}.` });
  }
}

/** Checks that records are ordered by a time, then by a key. */
export class Order<Key extends number | string> {
  #before: { readonly time: string; readonly key: Key } | null = null;

  /** @returns whether the record follows that of the previous call */
  follows(time: string, key: Key): boolean {
    const before = this.#before;
    this.#before = { time, key };
    return before === null || time > before.time || (time === before.time && key > before.key);
  }
}
