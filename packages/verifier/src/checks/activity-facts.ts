import { subjectOf } from '@decision-ledger/proof/activity-types';
import { PAYLOAD_FIELDS } from '@decision-ledger/proof/bundle/format';
import { type LatenessLimit, readLimit } from '@decision-ledger/proof/bundle/lateness';
import type { ChainPoint } from '@decision-ledger/proof/bundle/manifest';
import type { Shape } from '@decision-ledger/proof/bundle/shape';
import type { ActivityEntry } from '@decision-ledger/proof/entry';
import { type StatedTransaction, transactionIn } from '@decision-ledger/proof/movement';
import { briefText, type RecordedChange } from '@decision-ledger/proof/replay/state';
import type { StatedReversal } from '@decision-ledger/proof/reversal';
import type { When } from '@decision-ledger/proof/when';
import type { Finding } from '../report/report.js';
import { type AcceptedLoss, readLoss } from './accepted-loss.js';
import type { Linked } from './chain-lines.js';
import { statedReversals } from './stated-reversals.js';

/** A change of an event or link. */
export interface Change {
  readonly seq: number;
  readonly type: string;
  /** `actor` and `at` are empty if the data are withheld. */
  readonly actor: string;
  readonly at: string;
  /** The disclosed data, to be read with `unpack`; null if there are none. */
  readonly data: string | null;
  /** Whether the bundle withholds the data. */
  readonly isWithheld: boolean;
}

/** The changes of an event or link, in chain order. */
export interface History {
  readonly changes: Change[];
  isSeen: boolean;
  /** The times that its first record states, as `timesKey`; null if the bundle withholds them. */
  when: string | null;
}

/** A link of a reversal that is taken from its payment: ids of the reports that lead them. */
interface Inheritance {
  readonly seq: number;
  readonly event: string;
  readonly payment: string;
}

/** Longer than any member name in the data of a change. */
const MAX_NAME_CHARS = 40;

const isField = (name: string): boolean => PAYLOAD_FIELDS.some((field) => field === name);

const SIGNER_TYPES = ['signing_key.created', 'signing_key.rotated'];

/** A checkpoint of the decisions, as the activity chain names it. */
export interface SignedCheckpoint {
  readonly seq: number;
  readonly at: string;
  readonly origin: string;
  readonly size: number;
  /** Base 64. */
  readonly root: string;
}

/** A change of the limit of lateness. Times never decrease, whatever the entries say. */
interface LimitChange extends LatenessLimit {
  readonly seq: number;
}

/** The record that asked for an export. */
interface ExportRequest {
  readonly seq: number;
  readonly at: string;
  readonly actor: string;
  readonly exportId: string;
  readonly type: string;
  readonly start: string;
  readonly end: string;
  /** The commitment to its filter; null if it has none. */
  readonly filter: string | null;
}

/** The facts in the activity chain about the records of a bundle. */
export class ActivityFacts {
  /** By id. */
  readonly events = new Map<string, History>();
  readonly links = new Map<string, History>();
  /** Ids of events that, by the records up to the beginning of the export, were of one movement with an event of the range. */
  readonly partners = new Set<string>();
  /** The payments that the records of inherited links name, in the order of the chain. */
  readonly inheritances: Inheritance[] = [];
  /** The transactions that disclosed events state, by id. */
  readonly transactions = new Map<string, StatedTransaction>();
  /** What is not proven of the links that reversals take. */
  readonly doubts: Finding[] = [];
  /** What disclosed events say that they reverse, by id. */
  readonly reversals = new Map<string, readonly StatedReversal[]>();
  /** Seqs of the records that are shown as hashes alone, in order. */
  readonly hidden: number[] = [];
  /** Number of changes of events and links with withheld data, which may be of the range. */
  withheld = 0;
  /** Number of those whose times prove that they are not. */
  outside = 0;
  /** Number of records shown as they were before a later change. */
  outdated = 0;
  /** Number of links carried over from a link with withheld activity. */
  unproven = 0;
  /** Hash of the entry with the watched seq; null until it is read. */
  watchedHash: string | null = null;
  /** Hash of the entry at which the export began; null until it is read. */
  sinceHash: string | null = null;
  /** The latest time of recording up to that entry, ms. */
  sinceAt = 0;
  /** What the records of links state of the times of decisions, by id. */
  readonly decisionTimes = new Map<string, string>();
  /** Fingerprints of the signing keys that the chain records. */
  readonly signers = new Set<string>();
  /** Verifier keys of the logs that the chain records. */
  readonly logKeys = new Set<string>();
  /** Seqs of all records that name a checkpoint, disclosed or not. */
  readonly namings: number[] = [];
  /** The checkpoints that the chain names, as far as they are disclosed. */
  readonly signed: SignedCheckpoint[] = [];
  readonly limits: LimitChange[] = [];
  readonly losses: AcceptedLoss[] = [];
  /** The latest time of recording so far, ms. */
  #latest = 0;
  /** The exports that were asked for, as far as they are disclosed. */
  readonly requests: ExportRequest[] = [];
  readonly #watched: number | null;
  readonly #since: number;
  /** Seq of the latest erasure, by decision and field. */
  readonly #erased = new Map<string, Map<string, number>>();
  readonly #withheldErasures = new Set<string>();
  readonly #texts = new Map<string, string>();

  constructor(watched: number | null, since = 0) {
    this.#watched = watched;
    this.#since = since;
  }

  /** Number of decisions with a withheld erasure. */
  get withheldErasures(): number {
    return this.#withheldErasures.size;
  }

  /** Seq of the latest erasure of the field, or null. */
  erasedAt(decisionId: string, field: string): number | null {
    return this.#erased.get(decisionId)?.get(field) ?? null;
  }

  /** Whether the bundle withholds which field of the decision was erased. */
  hidesErasure(decisionId: string): boolean {
    return this.#withheldErasures.has(decisionId);
  }

  /** The changes of an event or a link. */
  historyOf(id: string): History | null {
    return this.events.get(id) ?? this.links.get(id) ?? null;
  }

  /**
   * @param when the times that it states and the bundle discloses, as `timesKey`
   * @throws ShapeError if the data do not have the form of that kind of change
   */
  add(
    { entry, hash }: Linked<ActivityEntry>,
    data: Shape | null,
    when: string | null = null,
  ): void {
    if (entry.seq === this.#watched) this.watchedHash = hash;
    if (entry.seq === this.#since) this.sinceHash = hash;
    const { type } = entry;
    this.#latest = Math.max(this.#latest, Date.parse(entry.created_at));
    if (entry.seq <= this.#since) this.sinceAt = this.#latest;
    this.#keep(entry, data);
    if (type === 'decision.field_erased') this.#erase(entry, data);
    const about = subjectOf(type);
    if (about === 'event') {
      this.#change(this.events, entry, data, when);
      if (type === 'financial_event.recorded' && data !== null) this.#state(entry.subject, data);
    } else if (about === 'link') this.#change(this.links, entry, data, when);
    if (type === 'link.inherited' && data !== null) this.#inherit(entry, data);
  }

  /** Adds a record that is shown as a hash alone. */
  hide({ seq, hash }: ChainPoint): void {
    if (seq === this.#watched) this.watchedHash = hash;
    if (seq === this.#since) this.sinceHash = hash;
    this.hidden.push(seq);
  }

  #keep({ type, subject, seq, actor, created_at: at }: ActivityEntry, data: Shape | null): void {
    if (type === 'checkpoint.signed') this.namings.push(seq);
    if (data === null) return;
    if (SIGNER_TYPES.includes(type)) this.signers.add(subject);
    else if (type === 'log.started') this.logKeys.add(data.text('verifier_key'));
    else if (type === 'checkpoint.signed') {
      const [origin, size, root] = [data.text('origin'), data.count('size'), data.text('root')];
      this.signed.push({ seq, at, origin, size, root });
    } else if (type === 'max_lateness.changed') {
      this.limits.push({ seq, at: this.#latest, seconds: readLimit(data) });
    } else if (type === 'ledger.restored') {
      this.losses.push(readLoss(at, data));
    } else if (type === 'export.requested') {
      this.requests.push({
        seq,
        at,
        actor,
        exportId: subject,
        type: data.text('export_type'),
        start: data.time('start_date'),
        end: data.time('end_date'),
        filter: data.optText('filter_commitment'),
      });
    }
  }

  #erase({ subject, seq }: ActivityEntry, data: Shape | null): void {
    if (data === null) {
      this.#withheldErasures.add(subject);
      return;
    }
    const fields = this.#erased.get(subject) ?? new Map<string, number>();
    for (const field of data.texts('fields')) if (isField(field)) fields.set(field, seq);
    this.#erased.set(subject, fields);
  }

  #inherit({ seq }: ActivityEntry, data: Shape): void {
    const last = this.inheritances.at(-1);
    const [event, payment] = [data.text('financial_event_id'), data.text('inherited_from')];
    // A reversal takes all its links at once.
    if (last?.event === event && last.payment === payment) return;
    this.inheritances.push({ seq, event: this.#shared(event), payment: this.#shared(payment) });
  }

  #state(id: string, data: Shape): void {
    const report = {
      ...{ id, source: data.text('source'), external_id: data.optText('external_id') },
      timestamp: Date.parse(data.time('timestamp')),
    };
    const metadata = data.opt('metadata');
    const transaction = transactionIn(report, metadata);
    if (transaction !== null) this.transactions.set(id, transaction);
    const reversals = statedReversals({ ...report, event_type: data.text('event_type') }, metadata);
    if (reversals.length > 0) this.reversals.set(id, reversals);
  }

  /** Withheld changes prove nothing and may be many thousands, so little of them is stored. */
  #change(
    into: Map<string, History>,
    entry: ActivityEntry,
    data: Shape | null,
    when: string | null,
  ): void {
    const { seq, subject } = entry;
    const isWithheld = data === null && entry.commitments.data !== undefined;
    const type = this.#shared(entry.type);
    const [actor, at] = isWithheld ? ['', ''] : [this.#shared(entry.actor), entry.created_at];
    const change = { seq, type, actor, at, data: data && packed(data), isWithheld };
    const history = into.get(subject);
    // An array literal has no spare capacity, and most histories have one change.
    if (history === undefined) into.set(subject, { changes: [change], isSeen: false, when });
    else history.changes.push(change);
  }

  /** Deduplicates equal texts. */
  #shared(text: string): string {
    const known = this.#texts.get(text) ?? text;
    this.#texts.set(known, known);
    return known;
  }
}

/** Stored as text, which needs half the memory of an object; there may be many thousands. */
function packed(data: Shape): string {
  const names = data.names().filter((name) => name.length <= MAX_NAME_CHARS);
  return JSON.stringify(names.map((name) => [name, briefText(data.value(name))]));
}

/** The members of a change's data, as brief texts. */
export function unpack({ data }: Change): ReadonlyMap<string, string> {
  return new Map(data === null ? [] : JSON.parse(data));
}

/** Changes as the rules of replay read them. */
export function* unpackAll(changes: readonly Change[]): Generator<RecordedChange> {
  for (const change of changes) yield { ...change, data: unpack(change) };
}

/** The times as one short text, to be compared: there may be many thousands. */
export function timesKey({ event, decision }: When): string {
  return decision === undefined ? shortTime(event) : `${shortTime(event)} ${shortTime(decision)}`;
}

const shortTime = (time: string) => Date.parse(time).toString(36);

/** The time of an event in such a text. */
export function timeOf(key: string): string {
  return new Date(Number.parseInt(key, 36)).toISOString();
}
