import type { Finding, Outcome, VerdictName } from './report.js';

/** So many are kept: a bundle that is wrong everywhere must not fill the memory. */
const KEPT = 1000;
/** Of a text in a finding, in characters: what a bundle says may be as long as it likes. */
const LONGEST = 400;

interface Collected {
  findings: Finding[];
  count: number;
  outcome: Outcome;
}

/** What the checks found, by verdict. */
export class Findings {
  readonly #by: { [name in VerdictName]: Collected } = {
    integrity: nothing(),
    completeness: nothing(),
    authenticity: nothing(),
    time: nothing(),
  };

  /** The bundle contradicts itself, or what was asked for. */
  fail(verdict: VerdictName, finding: Finding): void {
    this.#add(verdict, finding).outcome = 'fail';
  }

  /** Nothing in the bundle shows that it holds. */
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

/** Put together anew, because a part of a text keeps the whole of it in memory. */
function short(text: string): string {
  return text.length <= LONGEST ? text : `${[...text.slice(0, LONGEST)].join('')}…`;
}
