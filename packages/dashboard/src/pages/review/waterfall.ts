/** A piece of evidence, and the log-odds before and after it. */
export interface EvidenceStep {
  readonly evidence: string;
  readonly logOdds: number;
  readonly before: number;
  readonly after: number;
}

/** The evidence for a candidate in the order of the model, without what changes nothing. */
export function stepsOf(evidence: Readonly<Record<string, number>>): EvidenceStep[] {
  let sum = 0;
  const steps: EvidenceStep[] = [];
  for (const [name, logOdds] of Object.entries(evidence)) {
    const before = sum;
    sum += logOdds;
    if (Math.abs(logOdds) >= LEAST) steps.push({ evidence: name, logOdds, before, after: sum });
  }
  return steps;
}

/** Less than this does not move the second digit of a percentage. */
const LEAST = 0.0005;

/** The probability that the decision is the cause, against "no recorded decision". */
export function probabilityOf(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}
