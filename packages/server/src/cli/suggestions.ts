import type { Decision } from '@decision-ledger/contract/decision';
import type { FinancialEvent } from '@decision-ledger/contract/financial-event';
import type { Link } from '@decision-ledger/contract/link';
import { suggestNow } from '../domains/judgement/attribution/index.js';
import { readDecision } from '../domains/record/decisions/index.js';
import { describeEvent, readEvent } from '../domains/record/financial-events/index.js';
import { describeLink, listLinks } from '../domains/record/links/index.js';
import type { Ledger } from '../platform/ledger.js';
import type { Service } from '../service.js';

export type Verdict = 'confirm' | 'reject';

/** A suggested link with its decision and financial event. */
export interface Suggestion extends Link {
  readonly decision: Decision;
  readonly financial_event: FinancialEvent;
}

/** Maximum number of suggestions in a list. */
export const MAX_SUGGESTIONS = 100;

/** Events that no worker has matched yet are matched first, so that the list is complete. */
export async function readSuggestions(ledger: Ledger, service: Service) {
  await suggestNow(ledger, service.hooks, new AbortController().signal);
  const slice = { after: null, limit: MAX_SUGGESTIONS };
  const { rows, hasMore } = await listLinks(ledger, { status: 'ML_SUGGESTED' }, slice);
  const suggestions: Suggestion[] = [];
  for (const { link } of rows) {
    const shown = describeLink(link);
    const decision = await readDecision(ledger, shown.decision_id);
    const event = describeEvent(await readEvent(ledger, shown.financial_event_id));
    suggestions.push({ ...shown, decision, financial_event: event });
  }
  return { suggestions, hasMore };
}

/** A single line without line breaks and control characters. */
export function suggestionSentence({ id, correlation_strength, ...link }: Suggestion): string {
  const { decision, financial_event: event } = link;
  const reference = event.external_id === undefined ? '' : ` ${event.external_id}`;
  const money = `${event.event_type} ${event.amount} ${event.currency}${reference}`;
  const cause = `${decision.agent_id} ${decision.action_type}`;
  const text = `${Math.round(correlation_strength * 100)} %  ${money} (${event.timestamp})  caused by  ${cause} (${decision.timestamp})`;
  return `${id}  ${printable(text)}`;
}

/** Replaces characters that a terminal could interpret as commands. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{FFFD}');
}
