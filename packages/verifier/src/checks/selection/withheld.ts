import type { ChainPoint } from '@decision-ledger/proof/bundle/manifest';
import { readWithheldLine } from '@decision-ledger/proof/bundle/selection';
import type { LineReader } from '../../archive/lines.js';
import type { Findings } from '../../report/findings.js';
import type { Files } from '../files.js';
import { Run } from '../run.js';

const WITHHELD = 'withheld.ndjson';

/** The decisions of a run that are shown as hashes alone, in the order of the chain. */
export class Withheld implements LineReader {
  readonly run = new Run();
  /** Lines of the file. */
  count = 0;
  readonly #findings: Findings;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  async read(files: Files): Promise<void> {
    await files.lines(WITHHELD, this);
  }

  line(text: string, number: number): void {
    const entry = readWithheldLine(text);
    this.count++;
    if (entry === null) {
      this.problem('is not a seq and a hash', number);
    } else if (entry.seq <= (this.run.last?.seq ?? 0)) {
      const message = `Line ${number} names seq ${entry.seq} after seq ${this.run.last?.seq}.`;
      this.#fail('record_order', message);
    } else {
      this.run.withhold(entry);
    }
  }

  problem(message: string, number: number): void {
    this.#fail('line_unreadable', `Line ${number} ${message}.`);
  }

  /** Those with a seq below another one, from a place in the file on. */
  *between(from: number, before: number): Generator<ChainPoint> {
    for (let at = from; at < this.run.count; at++) {
      const point = this.run.at(at);
      if (point.seq >= before) return;
      yield point;
    }
  }

  #fail(code: 'record_order' | 'line_unreadable', message: string): void {
    this.#findings.fail('integrity', { code, file: WITHHELD, message });
  }
}
