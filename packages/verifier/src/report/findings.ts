import type { Finding, Outcome, VerdictName } from './report.js';

/** Findings kept for each verdict, to bound the memory. */
const KEPT = 1000;
/** Characters of a text in a finding, since a bundle may hold texts of any length. */
const LONGEST = 400;

interface Collected {
  findings: Finding[];
  count: number;
  outcome: Outcome;
}

/** The findings, by verdict. */
export class Findings {
  readonly #by: { [name in VerdictName]: Collected } = {
    integrity: nothing(),
    completeness: nothing(),
    authenticity: nothing(),
    time: nothing(),
  };

  /** The bundle contradicts itself, or what the caller gave. */
  fail(verdict: VerdictName, finding: Finding): void {
    this.#add(verdict, finding).outcome = 'fail';
  }

  /** The bundle proves neither that the verdict passes nor that it fails. */
  doubt(verdict: VerdictName, finding: Finding): void {
    const collected = this.#add(verdict, finding);
    if (collected.outcome === 'pass') collected.outcome = 'unproven';
  }

  of(verdict: VerdictName): { findings: readonly Finding[]; omitted: number; outcome: Outcome } {
    const { findings, count, outcome } = this.#by[verdict];
    return { findings, omitted: count - findings.length, outcome };
  }

  #add(verdict: VerdictName, finding: Finding): Collected {
    const collected = this.#by[verdict];
    collected.count++;
    if (collected.findings.length < KEPT) collected.findings.push(shortened(finding));
    return collected;
  }
}

function nothing(): Collected {
  return { findings: [], count: 0, outcome: 'pass' };
}

function shortened(finding: Finding): Finding {
  const { file, id, message } = finding;
  return {
    ...finding,
    ...(file !== undefined && { file: short(file) }),
    ...(id !== undefined && { id: short(id) }),
    message: short(message),
  };
}

/** A copy, since a slice keeps the whole text in memory. */
function short(text: string): string {
  return text.length <= LONGEST ? text : `${[...text.slice(0, LONGEST)].join('')}…`;
}
