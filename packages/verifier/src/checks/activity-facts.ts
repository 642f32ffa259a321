import { PAYLOAD_FIELDS } from '@decision-ledger/proof/bundle/format';
import type { Shape } from '@decision-ledger/proof/bundle/shape';
import type { ActivityEntry } from '@decision-ledger/proof/entry';
import { brief } from './brief.js';
import type { Linked } from './chain-lines.js';

/** One change of an event or a link. */
export interface Change {
  readonly seq: number;
  readonly type: string;
  /** `actor` and `at` are empty where the data are withheld. */
  readonly actor: string;
  readonly at: string;
  /** The disclosed data; `unpack` gives their members. Null without any. */
  readonly data: string | null;
  /** Whether the bundle withholds the data. */
  readonly isWithheld: boolean;
}

/** The changes of one event or link, in the order of the chain. */
export interface History {
  readonly changes: Change[];
  isSeen: boolean;
}

/** Longer than every name in the data of a change. */
const LONGEST_NAME = 40;

const isField = (name: string): boolean => PAYLOAD_FIELDS.some((field) => field === name);

const EVENT_TYPES = ['financial_event.recorded', 'financial_event.deleted'];
const LINK_TYPES = [
  'link.created',
  'link.suggested',
  'link.confirmed',
  'link.rejected',
  'link.deleted',
];

/** What the chain of activity says about the records of a bundle. */
export class ActivityFacts {
  /** By id. */
  readonly events = new Map<string, History>();
  readonly links = new Map<string, History>();
  /** Changes of events and links whose data are withheld: of other ranges, or hidden. */
  withheld = 0;
  /** Records shown as they were before a later change. */
  outdated = 0;
  /** Links carried over from a link whose activity is withheld. */
  unproven = 0;
  /** Hash of the entry with the watched seq; null until it was read. */
  watchedHash: string | null = null;
  readonly #watched: number | null;
  /** Seq of the newest erasure, by decision and field. */
  readonly #erased = new Map<string, Map<string, number>>();
  readonly #withheldErasures = new Set<string>();
  readonly #texts = new Map<string, string>();

  constructor(watched: number | null) {
    this.#watched = watched;
  }

  /** Decisions with an erasure that the bundle withholds. */
  get withheldErasures(): number {
    return this.#withheldErasures.size;
  }

  /** Seq of the newest erasure of the field, or null. */
  erasedAt(decisionId: string, field: string): number | null {
    return this.#erased.get(decisionId)?.get(field) ?? null;
  }

  /** Whether the bundle withholds which field of the decision was erased. */
  hidesErasure(decisionId: string): boolean {
    return this.#withheldErasures.has(decisionId);
  }

  /** @throws ShapeError when the data are not in the form of that kind of change */
  add({ entry, hash }: Linked<ActivityEntry>, data: Shape | null): void {
    if (entry.seq === this.#watched) this.watchedHash = hash;
    const { type } = entry;
    if (type === 'decision.field_erased') this.#erase(entry, data);
    else if (EVENT_TYPES.includes(type)) this.#change(this.events, entry, data);
    else if (LINK_TYPES.includes(type)) this.#change(this.links, entry, data);
    else return;
    if (data === null && entry.commitments.data !== undefined) this.withheld++;
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

  /** Withheld changes prove nothing and may be many thousands, so that little of them is kept. */
  #change(into: Map<string, History>, entry: ActivityEntry, data: Shape | null): void {
    const { seq, subject } = entry;
    const isWithheld = data === null && entry.commitments.data !== undefined;
    const type = this.#shared(entry.type);
    const [actor, at] = isWithheld ? ['', ''] : [this.#shared(entry.actor), entry.created_at];
    const change = { seq, type, actor, at, data: data && packed(data), isWithheld };
    const history = into.get(subject);
    // An array literal has no spare capacity; most histories have one change.
    if (history === undefined) into.set(subject, { changes: [change], isSeen: false });
    else history.changes.push(change);
  }

  /** One copy of equal texts. */
  #shared(text: string): string {
    const known = this.#texts.get(text) ?? text;
    this.#texts.set(known, known);
    return known;
  }
}

/** A text takes half the memory of an object, and there may be many thousands. */
function packed(data: Shape): string {
  const names = data.names().filter((name) => name.length <= LONGEST_NAME);
  return JSON.stringify(names.map((name) => [name, brief(data.value(name))]));
}

/** Members of a change's data as `brief` gives them. */
export function unpack({ data }: Change): ReadonlyMap<string, string> {
  return new Map(data === null ? [] : JSON.parse(data));
}
