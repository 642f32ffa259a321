import type {
  LearningInput,
  ReviewedCandidate,
  ReviewedChoice,
} from '@decision-ledger/attribution/snapshot';
import { mapInTurns } from '../../../platform/in-turns.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { selectObservations } from './store/event-scores.js';
import { type EventReviewRow, selectStandingChoices } from './store/reviews.js';
import {
  knownFeatures,
  openChoice,
  openObservation,
  type StoredCandidate,
} from './stored-choice.js';

const DAY_MS = 86_400_000;
/** More would hold up the process that learns, and the oldest say least. */
const MAX_REVIEWS = 3000;
const MAX_OBSERVATIONS = 3000;
/** A decision may be dated after the event that it caused, because clocks differ. */
const LEAST_HOURS = 1 / 60;

/** Up to where the logs are read. */
export interface Marks {
  readonly reviews: number;
  readonly observations: number;
}

/** What a model is learned from: a function of the logs up to the marks. */
export async function readLearningInput(
  ledger: LedgerReader,
  marks: Marks,
): Promise<Pick<LearningInput, 'choices' | 'observations'>> {
  const rows = await selectStandingChoices(ledger, marks.reviews, MAX_REVIEWS);
  const observed = await selectObservations(ledger, marks.observations, MAX_OBSERVATIONS);
  const latest = new Map<string, string | null>();
  for (const { eventId, observation } of observed) {
    if (!latest.has(eventId)) latest.set(eventId, observation);
  }
  const known = [...latest.values()].filter((text) => text !== null);
  const observations = await mapInTurns(known, openObservation);
  const choices = await mapInTurns(byEvent(rows), toChoice);
  return { choices: choices.flat(), observations };
}

/** What was said of each event, oldest first. @param rows oldest first */
function byEvent(rows: readonly EventReviewRow[]): Iterable<readonly EventReviewRow[]> {
  const groups = new Map<string, EventReviewRow[]>();
  for (const row of rows) {
    const others = groups.get(row.event_id);
    if (others === undefined) groups.set(row.event_id, [row]);
    else others.push(row);
  }
  return groups.values();
}

/** One choice of all that was said of an event; none if that is nothing. */
function toChoice(rows: readonly EventReviewRow[]): ReviewedChoice[] {
  const said = rows.filter(({ verdict }) => verdict !== 'skipped');
  const last = said.at(-1);
  if (last === undefined) return [];
  const choices = said.map(({ choice }) => openChoice(choice));
  const probability = choices.find((choice) => choice.audit_probability !== undefined);
  const kind = kindOf(said);
  const isNone = said.some(({ verdict }) => verdict === 'none');
  const causes = decisionsWith(said, 'cause');
  const others = decisionsWith(said, 'not_cause');
  const verdictOf = (decisionId: string): ReviewedCandidate['verdict'] => {
    if (causes.has(decisionId)) return 'cause';
    if (others.has(decisionId) || isNone || kind === 'manual') return 'not_cause';
    return 'unknown';
  };
  return [
    {
      kind,
      event_type: last.event_type,
      kinds: choices.at(-1)?.kinds ?? [],
      day: Math.floor(last.created_at / DAY_MS),
      weight: kind === 'audit' ? 1 / (probability?.audit_probability ?? 1) : 1,
      candidates: candidatesOf(choices.flatMap(({ candidates }) => candidates)).map(
        (candidate) => ({
          features: knownFeatures(candidate),
          agent_id: candidate.agent_id,
          action_type: candidate.action_type,
          hours: Math.max(LEAST_HOURS, candidate.hours),
          verdict: verdictOf(candidate.decision_id),
        }),
      ),
      none: noneOf(isNone, causes.size > 0 && kind !== 'manual'),
    },
  ];
}

function kindOf(rows: readonly EventReviewRow[]): ReviewedChoice['kind'] {
  if (rows.some(({ kind }) => kind === 'audit')) return 'audit';
  const isManual = rows.some(({ kind, verdict }) => kind === 'manual' && verdict === 'cause');
  return isManual ? 'manual' : 'review';
}

function noneOf(isNone: boolean, hasCause: boolean): ReviewedChoice['none'] {
  if (isNone) return 'cause';
  return hasCause ? 'not_cause' : 'unknown';
}

function decisionsWith(
  rows: readonly EventReviewRow[],
  verdict: EventReviewRow['verdict'],
): ReadonlySet<string> {
  return new Set(
    rows.flatMap((row) =>
      row.verdict === verdict && row.decision_id !== null ? [row.decision_id] : [],
    ),
  );
}

/** Each decision once: as it was seen first, with features where it has any. */
function candidatesOf(seen: readonly StoredCandidate[]): StoredCandidate[] {
  const byDecision = new Map<string, StoredCandidate>();
  for (const candidate of seen) {
    const known = byDecision.get(candidate.decision_id);
    if (known === undefined || (known.features === null && candidate.features !== null)) {
      byDecision.set(candidate.decision_id, candidate);
    }
  }
  return [...byDecision.values()];
}
