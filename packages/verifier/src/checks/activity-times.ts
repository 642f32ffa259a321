import { BUNDLES } from '@decision-ledger/proof/bundle/format';
import type { RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import type { Shape } from '@decision-ledger/proof/bundle/shape';
import type { ActivityEntry } from '@decision-ledger/proof/entry';
import { touchesRange, type When } from '@decision-ledger/proof/when';
import type { ActivityFacts } from './activity-facts.js';
import { isInRange } from './entries.js';

/** Where a record with withheld data lies, as far as its times prove it. */
type Place = 'outside' | 'inside' | 'irrelevant' | 'unproven';

/** Compares the times that the records of events and links state with each other and with the range. */
export class ActivityTimes {
  readonly #manifest: RecordsManifest;
  readonly #facts: ActivityFacts;

  constructor(manifest: RecordsManifest, facts: ActivityFacts) {
    this.#manifest = manifest;
    this.#facts = facts;
  }

  /**
   * @returns how the times contradict the record or earlier ones; null if they do not
   * @throws ShapeError if the data do not have the form of that kind of change
   */
  contradiction({ type, subject }: ActivityEntry, data: Shape | null, when: When): string | null {
    const isOfLink = type.startsWith('link.');
    if (isOfLink !== (when.decision !== undefined)) {
      return isOfLink ? 'it states no time of a decision' : 'it states the time of a decision';
    }
    const stated = this.#facts.historyOf(subject)?.when ?? null;
    if (stated !== null && stated !== timesKey(when)) return 'an earlier record states others';
    if (type === 'financial_event.recorded' && data !== null) {
      const timestamp = data.text('timestamp');
      return timestamp === when.event ? null : `its event is of ${timestamp}`;
    }
    return isOfLink && data !== null ? this.#contradictionOfLink(data, when) : null;
  }

  /** Counts a record with withheld data, by where it lies. */
  count({ type, subject, seq }: ActivityEntry, when: When): Place {
    const made = this.#facts.historyOf(subject)?.changes[0]?.seq ?? seq;
    const place = this.#place(type, when, made);
    if (place === 'outside') this.#facts.outside++;
    else if (place === 'unproven') this.#facts.withheld++;
    return place;
  }

  /**
   * A bundle of a range discloses all of it that existed when the export began. A statement has the money of
   * one agent, which links give it from events of the range; an event alone gives it none. A bundle of
   * decisions has no money at all.
   */
  #place(type: string, when: When, made: number): Place {
    const { range, export_type, activity } = this.#manifest;
    const { covers } = BUNDLES[export_type];
    if (covers === 'decisions') return 'irrelevant';
    if (covers === 'agent') {
      if (!isInRange(this.#manifest, when.event)) return 'outside';
      return type.startsWith('link.') ? 'unproven' : 'irrelevant';
    }
    if (!touchesRange(when, range)) return 'outside';
    return made <= activity.since ? 'inside' : 'unproven';
  }

  #contradictionOfLink(data: Shape, when: When): string | null {
    const [event, decision] = [data.optText('financial_event_id'), data.optText('decision_id')];
    const ofEvent = event === null ? null : (this.#facts.historyOf(event)?.when ?? null);
    if (ofEvent !== null && ofEvent !== timesKey({ event: when.event })) {
      return 'the record of its event states another time';
    }
    if (decision === null || when.decision === undefined) return null;
    const { decisionTimes } = this.#facts;
    const ofDecision = decisionTimes.get(decision) ?? when.decision;
    decisionTimes.set(decision, ofDecision);
    return ofDecision === when.decision ? null : `its decision is of ${ofDecision}`;
  }
}

/** The times as one short text, to be compared: there may be many thousands. */
export function timesKey({ event, decision }: When): string {
  return decision === undefined ? shortTime(event) : `${shortTime(event)} ${shortTime(decision)}`;
}

const shortTime = (time: string) => Date.parse(time).toString(36);
