import type { When } from '@decision-ledger/proof/when';
import { type Json, type Row, Story } from './story.js';

/** A ledger whose records of events and links state their times. */
export class DatedStory extends Story {
  /** Changes what the next record states. */
  lie: ((when: When) => When) | null = null;

  protected override timesOf(type: string, subject: string, data: Json): When | null {
    if (!/^(financial_event|link)\./.test(type)) return null;
    const when = type.startsWith('link.')
      ? this.#timesOfLink({ ...this.links.get(subject), ...data })
      : { event: timestampOf({ ...this.events.get(subject), ...data }) };
    const { lie } = this;
    this.lie = null;
    return lie === null ? when : lie(when);
  }

  #timesOfLink({ financial_event_id, decision_id }: Row): When {
    const decision = this.decisions.find(({ row }) => row.decision_id === decision_id)?.row ?? {};
    const event = this.events.get(String(financial_event_id)) ?? {};
    return { event: timestampOf(event), decision: timestampOf(decision) };
  }
}

function timestampOf({ timestamp }: Row): string {
  if (typeof timestamp !== 'string') throw new Error('there is no time');
  return timestamp;
}
