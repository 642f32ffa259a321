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

/** The evidence of the attribution model, in short. */
const NAMES: Readonly<Record<string, string>> = {
  base: 'Any decision',
  apart: 'No decision shares an identifier',
  ledger: 'Size of the ledger',
  crowd: 'Decisions nearby',
  time: 'Usual delay',
  identifier_exact: 'Equal identifiers',
  identifier_canonical: 'Identifiers, spelled otherwise',
  identifier_digits: 'Identifiers with equal digits',
  identifier_text: 'Identifiers in a text',
  identifier_linked: 'Identifiers of the same case',
  other_values: 'Other equal values',
  transaction_key: 'Rare identifier',
  latest_holder: 'Latest with the identifier',
  contradiction: 'Other identifiers',
  unmatched: 'No shared identifier',
  join: 'Plain join',
  amount_equal: 'Equal amount',
  amount_minor: 'Equal amount in cents',
  amount_converted: 'Equal amount, converted',
  amount_part: 'Part of the amount',
  amount_sum: 'Sum of amounts',
  amount_other: 'Other amount',
  amount_unstated: 'No amount stated',
  amount_again: 'Amount stated before',
  event_type: 'Type of event',
  compatibility: 'Action fits the event',
  read_only: 'Action only reads',
  agent: 'Reviews of the agent',
  repetition: 'Repeated action',
  failure: 'Action failed',
  unrecorded: 'Cause may be unrecorded',
};

export function nameOfEvidence(evidence: string): string {
  return NAMES[evidence] ?? evidence.replaceAll('_', ' ');
}
