import {
  type AuditedUnit,
  type Calibration,
  calibrationOf,
  type Proportion,
  proportionOf,
  sumBy,
} from './proportions.js';

/** A candidate as it was when people answered: a suggestion, or a further step of a matched case. */
export interface AuditedCandidate {
  /** UUID. */
  readonly decisionId: string;
  readonly share: number;
  readonly isMatched: boolean;
  readonly isSuggested: boolean;
}

/** What people said of an audited event, without what was withdrawn. */
export interface Verdicts {
  /** UUIDs of decisions that caused it. */
  readonly causes: readonly string[];
  /** UUIDs of suggested decisions that did not. */
  readonly others: readonly string[];
  /** No recorded decision caused it. */
  readonly isNone: boolean;
  /** Nobody could tell. */
  readonly isSkipped: boolean;
}

export interface JudgedSuggestion {
  readonly share: number;
  readonly isRight: boolean;
}

/** An answered audit. */
export interface AuditAnswer {
  readonly suggestions: readonly JudgedSuggestion[];
  /** Whether a cause is among the steps of the case that was matched; null if none was. */
  readonly match: boolean | null;
  /** How many recorded decisions caused the event; null if nobody said which one did. */
  readonly causes: number | null;
  /** How many of them were suggested, and are steps of a matched case. */
  readonly found: { readonly matched: number; readonly suggested: number };
}

/**
 * What an audit says. A rejection alone is an answer once each suggestion was rejected: these are wrong,
 * and the cause is unknown.
 * @param candidates of the event when it was judged first; null if it was not scored by then
 */
export function judgeAudit(
  candidates: readonly AuditedCandidate[] | null,
  { causes, others, isNone, isSkipped }: Verdicts,
): AuditAnswer | 'skipped' | 'unanswered' {
  const suggestions = candidates?.filter(({ isSuggested }) => isSuggested) ?? [];
  const isRejected =
    suggestions.length > 0 && suggestions.every(({ decisionId }) => others.includes(decisionId));
  const isAnswered = causes.length > 0 || isNone || isRejected;
  if (!isAnswered) return isSkipped ? 'skipped' : 'unanswered';
  if (candidates === null) return 'unanswered';
  const right = candidates.filter(({ decisionId }) => causes.includes(decisionId));
  const matched = right.filter(({ isMatched }) => isMatched).length;
  return {
    suggestions: suggestions.map(({ decisionId, share }) => ({
      share,
      isRight: causes.includes(decisionId),
    })),
    match: suggestions.some(({ isMatched }) => isMatched) ? matched > 0 : null,
    causes: causes.length === 0 && !isNone ? null : new Set(causes).size,
    found: { matched, suggested: right.filter(({ isSuggested }) => isSuggested).length },
  };
}

/** An event that was drawn for an audit. */
export interface Audit {
  /** When it was recorded: `2026-04`. */
  readonly month: string;
  /** Name of the stratum that it was drawn from, within its month. */
  readonly stratum: string;
  /** With which it was drawn; above 0. */
  readonly probability: number;
  readonly answer: AuditAnswer | 'skipped' | 'unanswered';
}

export interface Quality {
  readonly audits: number;
  readonly answered: number;
  readonly skipped: number;
  readonly unanswered: number;
  readonly represented: number | null;
  readonly reason: 'too_few_answers' | null;
  readonly precision: Labelled;
  readonly recall: Labelled;
  readonly calibration: Calibration | null;
}

interface Labelled {
  readonly matched: Proportion | null;
  readonly suggested: Proportion | null;
}

/** Fewer answers prove nothing. */
const LEAST_ANSWERS = 30;

const NONE: Labelled = { matched: null, suggested: null };

/** An answer with the number of events that it represents. */
interface Weighted {
  readonly weight: number;
  readonly answer: AuditAnswer;
}

/**
 * What the audits of a period say. An answer weighs as much as its stratum has events for each answer:
 * the inverse of the probability that it was drawn and answered.
 */
export function qualityOf(audits: readonly Audit[]): Quality {
  const { answers, represented } = weigh(audits);
  const counts = {
    audits: audits.length,
    answered: answers.length,
    skipped: audits.filter(({ answer }) => answer === 'skipped').length,
    unanswered: audits.filter(({ answer }) => answer === 'unanswered').length,
    represented,
  };
  if (answers.length < LEAST_ANSWERS) {
    return {
      ...counts,
      reason: 'too_few_answers',
      precision: NONE,
      recall: NONE,
      calibration: null,
    };
  }
  const suggestions = answers.flatMap(({ weight, answer }) =>
    answer.suggestions.map(({ share, isRight }) => ({ weight, share, right: isRight ? 1 : 0 })),
  );
  const matches = answers.flatMap(({ weight, answer: { match } }) =>
    match === null ? [] : [{ weight, right: match ? 1 : 0 }],
  );
  return {
    ...counts,
    reason: null,
    precision: {
      matched: proportionOf(matches),
      suggested: proportionOf(suggestions),
    },
    recall: {
      matched: proportionOf(recalled(answers, 'matched')),
      suggested: proportionOf(recalled(answers, 'suggested')),
    },
    calibration: calibrationOf(suggestions),
  };
}

/** The events with recorded causes, and the part of these that was suggested. */
function recalled(answers: readonly Weighted[], label: keyof AuditAnswer['found']): AuditedUnit[] {
  return answers.flatMap(({ weight, answer: { causes, found } }) =>
    causes === null || causes === 0 ? [] : [{ weight, right: found[label] / causes }],
  );
}

function weigh(audits: readonly Audit[]): {
  readonly answers: readonly Weighted[];
  readonly represented: number | null;
} {
  const strata = new Map<string, Audit[]>();
  for (const audit of audits) {
    const name = `${audit.month} ${audit.stratum}`;
    const stratum = strata.get(name);
    if (stratum === undefined) strata.set(name, [audit]);
    else stratum.push(audit);
  }
  const answers: Weighted[] = [];
  let [represented, all] = [0, 0];
  for (const stratum of strata.values()) {
    const events = sumBy(stratum, ({ probability }) => 1 / probability);
    const own = stratum.flatMap(({ answer }) => (typeof answer === 'string' ? [] : [answer]));
    for (const answer of own) answers.push({ weight: events / own.length, answer });
    all += events;
    if (own.length > 0) represented += events;
  }
  return { answers, represented: all === 0 ? null : represented / all };
}
