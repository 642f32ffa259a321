import type { Finding, Outcome, VerdictName } from './report.js';

/** Maximum findings stored per verdict, to bound memory. */
const MAX_FINDINGS = 1000;
/** Maximum characters of a text in a finding, because bundles may contain texts of any length. */
const MAX_TEXT_CHARS = 400;

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
    selection: nothing(),
    authenticity: nothing(),
    time: nothing(),
  };

  /** Records that the bundle contradicts itself or the caller's input. */
  fail(verdict: VerdictName, finding: Finding): void {
    this.#add(verdict, finding).outcome = 'fail';
  }

  /** Records that the bundle neither proves nor contradicts the verdict. */
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
    if (collected.findings.length < MAX_FINDINGS) collected.findings.push(shortened(finding));
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

/** Builds a copy, because a slice would keep the whole text in memory. */
function short(text: string): string {
  if (text.length <= MAX_TEXT_CHARS) return text;
  return `${[...text.slice(0, MAX_TEXT_CHARS)].join('')}…`;
}
