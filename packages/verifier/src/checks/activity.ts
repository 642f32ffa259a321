import { canConcern } from '@decision-ledger/proof/activity-types';
import { BUNDLES, FILES, isAlwaysDisclosed } from '@decision-ledger/proof/bundle/format';
import type { RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import { readWithheldActivityLine } from '@decision-ledger/proof/bundle/selection';
import { readJson, Shape } from '@decision-ledger/proof/bundle/shape';
import { commitmentOf, parseDisclosure } from '@decision-ledger/proof/commitment';
import type { ActivityEntry } from '@decision-ledger/proof/entry';
import { isWhen, readWhen, touchesRange, type When } from '@decision-ledger/proof/when';
import { reason } from '../archive/open.js';
import type { Findings } from '../report/findings.js';
import { type ActivityFacts, timesKey } from './activity-facts.js';
import { ChainLines, type Linked } from './chain-lines.js';
import { isInRange } from './entries.js';
import type { Files } from './files.js';
import type { LogCheck } from './log/check.js';
import { MovementRecords } from './movement-records.js';
import { isOfMovement } from './movements.js';
import { describePoint, describeStart, isSamePoint, isSameStart } from './run.js';

const ACTIVITY = 'activity.ndjson';

/** Verifies the activity chain and adds its statements about decisions, events and links to `facts`. */
export async function checkActivity(
  files: Files,
  manifest: RecordsManifest,
  findings: Findings,
  facts: ActivityFacts,
  log: LogCheck,
): Promise<void> {
  const lines = new ActivityLines({ file: ACTIVITY, manifest, findings }, facts, log);
  await files.lines(ACTIVITY, lines);
  lines.end();
}

class ActivityLines extends ChainLines<ActivityEntry> {
  readonly #facts: ActivityFacts;
  readonly #log: LogCheck;
  readonly #times: ActivityTimes;
  readonly #movements: MovementRecords;
  /** The entry that disclosed data may follow. */
  #open: Linked<ActivityEntry> | null = null;
  /** Its disclosed times. */
  #when: When | null = null;

  constructor(
    options: ConstructorParameters<typeof ChainLines>[0],
    facts: ActivityFacts,
    log: LogCheck,
  ) {
    super(options);
    this.#facts = facts;
    this.#log = log;
    this.#times = new ActivityTimes(options.manifest, facts);
    this.#movements = new MovementRecords(facts);
  }

  /** Compares the ends with those of the manifest. */
  end(): void {
    this.#close(null);
    const { first, last, since } = this.manifest.activity;
    const isSame = isSameStart(this.first, first) && isSamePoint(this.last, last);
    if (since > (this.last?.seq ?? 0)) {
      const message = `The export began at seq ${since}, but the activity chain ends at ${this.last?.seq ?? 0}.`;
      this.fail('activity_ends', message, {}, 'completeness');
    }
    if (!isSame) {
      const message = `The activity chain goes from ${describeStart(this.first)} to ${describePoint(this.last)}; the manifest names ${describeStart(first)} and ${describePoint(last)}.`;
      this.fail('activity_ends', message, {}, 'completeness');
    }
  }

  protected override handlesLine(text: string): boolean {
    const hash = this.manifest.selection === null ? null : readWithheldActivityLine(text);
    if (hash !== null) this.#hide(hash);
    if (hash !== null || !text.startsWith('[')) return hash !== null;
    if (isWhen(text)) this.#disclosedTimes(text);
    else this.#disclosure(text);
    return true;
  }

  /** A record about a decision, an event or a link that the filter of the bundle did not choose. */
  #hide(hash: string): void {
    this.#close(null);
    const point = { seq: (this.last?.seq ?? 0) + 1, hash };
    this.skip(point);
    this.#log.add('activity', hash);
    this.#facts.hide(point);
  }

  protected override addEntry(linked: Linked<ActivityEntry>): void {
    this.#close(null);
    this.#open = linked;
    this.#log.add('activity', linked.hash);
  }

  protected override isOfChain(entry: object): entry is ActivityEntry {
    return '_type' in entry && entry._type === FILES[ACTIVITY].entryType;
  }

  protected override firstSeq(): number {
    return 1;
  }

  /** The file has the whole chain, so its first entry follows the genesis. */
  protected override prevHashOfFirst(): string {
    return this.genesisHash ?? '';
  }

  protected override gap(due: number, found: number): void {
    const message = `The entry has seq ${found}; ${due} is expected.`;
    this.fail('entry_seq', message, { seq: found });
    this.fail('activity_ends', message, { seq: found }, 'completeness');
  }

  /** The times of an entry come before its data. */
  #disclosedTimes(text: string): void {
    const open = this.#open;
    if (open === null || this.#when !== null) {
      this.fail('disclosure_differs', 'Disclosed times do not follow an entry.');
      return;
    }
    const { seq, activity_id: id, commitments } = open.entry;
    try {
      const when = readWhen(text);
      if (commitmentOf(text) !== commitments.when) throw new Error('their commitment differs');
      this.#when = when;
    } catch (error) {
      const message = `The disclosed times do not belong to their entry: ${reason(error)}.`;
      this.fail('disclosure_differs', message, { seq, id });
    }
  }

  #disclosure(text: string): void {
    const open = this.#open;
    if (open === null) {
      this.fail('disclosure_differs', 'Disclosed data do not follow an entry.');
      return;
    }
    const { seq, activity_id, commitments } = open.entry;
    try {
      const { value } = parseDisclosure(text, 'data');
      if (commitmentOf(text) !== commitments.data) throw new Error('their commitment differs');
      this.#close(new Shape(readJson(value)));
    } catch (error) {
      const message = `The disclosed data do not belong to their entry: ${reason(error)}.`;
      this.fail('disclosure_differs', message, { seq, id: activity_id });
      this.#close(null);
    }
  }

  /** Adds the entry to the facts once it is known whether its data follow. */
  #close(data: Shape | null): void {
    const [open, when] = [this.#open, this.#when];
    this.#open = null;
    this.#when = null;
    if (open === null) return;
    const { type, subject, seq: at, commitments } = open.entry;
    if (!canConcern(type, subject)) {
      const message = `An activity of the type ${type} is about ${subject}; this verifier knows no such type of activity about it.`;
      this.fail('activity_unknown', message, { seq: at, id: subject });
    }
    const isHidden = data === null && commitments.data !== undefined;
    if (isHidden && isAlwaysDisclosed(type)) {
      const message = `The data of an activity of the type ${type} are withheld.`;
      this.fail('disclosure_missing', message, { seq: at });
    }
    try {
      this.#facts.add(open, data, when && timesKey(when));
      if (commitments.when !== undefined) this.#dated(open.entry, { data, when, isHidden });
    } catch (error) {
      const { seq, activity_id: id } = open.entry;
      const message = `The disclosed data do not have the form of their kind: ${reason(error)}.`;
      this.fail('disclosure_differs', message, { seq, id });
    }
  }

  /** Every bundle discloses the times of the records that state them. */
  #dated(
    entry: ActivityEntry,
    { data, when, isHidden }: { data: Shape | null; when: When | null; isHidden: boolean },
  ): void {
    const at = { seq: entry.seq, id: entry.activity_id };
    if (when === null) {
      this.fail('disclosure_missing', 'The times of an activity are withheld.', at);
      return;
    }
    const problem = this.#times.contradiction(entry, data, when);
    if (problem !== null) {
      this.fail('when_differs', `The times of the activity cannot be right: ${problem}.`, at);
    }
    if (isOfMovement(entry.type)) this.#moved(entry, data, when);
    if (!isHidden || this.#times.count(entry, when) !== 'inside') return;
    const ofDecision = when.decision === undefined ? '' : ` and a decision of ${when.decision}`;
    const ofOthers = when.others === undefined ? '' : ` and others of ${when.others.join(', ')}`;
    const message = `The data of an activity of the type ${entry.type} are withheld, but it concerns an event of ${when.event}${ofDecision}${ofOthers}: that is in the range.`;
    this.fail('withheld_in_range', message, { ...at, id: entry.subject }, 'completeness');
  }

  /** A record about the movement of an event. */
  #moved(entry: ActivityEntry, data: Shape | null, when: When): void {
    const { range, activity } = this.manifest;
    if (entry.seq <= activity.since && touchesRange(when, range)) {
      this.#facts.partners.add(entry.subject);
    }
    if (data === null) {
      this.#movements.withhold(entry.subject);
      return;
    }
    const wrong = this.#movements.contradiction(entry, data, when);
    if (wrong === null) return;
    const message = `The activity about the movement of the event cannot be right: ${wrong.problem}.`;
    this.fail(wrong.code, message, { seq: entry.seq, id: entry.subject });
  }
}

/** Where a record with withheld data lies, as far as its times prove it. */
type Place = 'outside' | 'inside' | 'irrelevant' | 'unproven';

/** Compares the times that the records of events and links state with each other and with the range. */
class ActivityTimes {
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
    if (isOfMovement(type) !== (when.others !== undefined)) {
      return isOfMovement(type)
        ? 'it states no times of other events'
        : 'it states times of others';
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
    // What an event became a part of later is not of the range for it.
    const made = isOfMovement(type)
      ? seq
      : (this.#facts.historyOf(subject)?.changes[0]?.seq ?? seq);
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
    if (covers === 'agent' && isOfMovement(type)) {
      return touchesRange(when, range) ? 'unproven' : 'outside';
    }
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
