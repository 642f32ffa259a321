import type { Ledger } from '@decision-ledger/client';
import type { Decision } from '@decision-ledger/client/api/decision';
import type { FinancialEvent } from '@decision-ledger/client/api/financial-event';
import type { SearchHit } from '@decision-ledger/client/api/search';
import { isolated } from '../../format/locale.ts';
import { formatMoney } from '../../format/numbers.ts';

/** What a link is made from: the other end is chosen. */
export type Subject =
  | { readonly kind: 'event'; readonly event: FinancialEvent }
  | { readonly kind: 'decision'; readonly decision: DatedDecision };

type DatedDecision = Pick<Decision, 'decision_id' | 'timestamp'>;

/** A record that may be the other end. */
export interface Choice {
  readonly id: string;
  readonly label: string;
  readonly timestamp: string;
}

/** What is asked for at each kind of subject. */
export const WANTED = {
  event: { type: 'decision', name: 'decision', prefix: 'dec_' },
  decision: { type: 'financial_event', name: 'event', prefix: 'evt_' },
} as const;

const NEAR_MS = 7 * 86_400_000;
const SHOWN = 8;
/** Lists are read newest first, and those of a busy ledger have many records of one week. */
const READ = 50;

/** Decisions before an event, or events after a decision: the nearest in time first. */
export async function findNear(
  ledger: Ledger,
  subject: Subject,
  signal: AbortSignal,
): Promise<Choice[]> {
  if (subject.kind === 'event') {
    const { timestamp } = subject.event;
    const query = { start: shifted(timestamp, -NEAR_MS), end: shifted(timestamp, 1) };
    const { decisions } = await ledger.decisions
      .list({ ...query, limit: SHOWN }, { signal })
      .page();
    return decisions.map(choiceOfDecision);
  }
  const { timestamp } = subject.decision;
  const query = { start: timestamp, end: shifted(timestamp, NEAR_MS) };
  const { financial_events } = await ledger.events
    .list({ ...query, limit: READ }, { signal })
    .page();
  return financial_events.toReversed().slice(0, SHOWN).map(choiceOfEvent);
}

/** Records of the wanted kind that the search of the ledger finds. */
export async function findByText(
  ledger: Ledger,
  subject: Subject,
  text: string,
  signal: AbortSignal,
): Promise<Choice[]> {
  const { type } = WANTED[subject.kind];
  const { results } = await ledger.operations.search({ q: text, limit: 20 }, { signal }).page();
  return results
    .filter((hit) => hit.type === type && (hit.deleted_at ?? null) === null)
    .slice(0, SHOWN)
    .map(choiceOfHit);
}

function choiceOfDecision({
  decision_id,
  agent_id,
  action_type,
  timestamp,
}: Pick<Decision, 'decision_id' | 'agent_id' | 'action_type' | 'timestamp'>): Choice {
  return { id: decision_id, label: `${isolated(action_type)} by ${isolated(agent_id)}`, timestamp };
}

function choiceOfEvent({
  id,
  source,
  event_type,
  amount,
  currency,
  timestamp,
}: Pick<
  FinancialEvent,
  'id' | 'source' | 'event_type' | 'amount' | 'currency' | 'timestamp'
>): Choice {
  return {
    id,
    label: `${isolated(event_type)} · ${formatMoney(amount, currency)} · ${isolated(source)}`,
    timestamp,
  };
}

function choiceOfHit({ type, id, timestamp, ...hit }: SearchHit): Choice {
  if (type === 'decision') {
    return choiceOfDecision({
      ...{ decision_id: id, timestamp },
      ...{ agent_id: hit.agent_id ?? '', action_type: hit.action_type ?? '' },
    });
  }
  return choiceOfEvent({
    ...{ id, timestamp, source: hit.source ?? '', event_type: hit.event_type ?? '' },
    ...{ amount: hit.amount ?? '', currency: hit.currency ?? '' },
  });
}

function shifted(time: string, ms: number): string {
  return new Date(Date.parse(time) + ms).toISOString();
}
