import type { FindingCode } from '../report/codes.js';
import type { Findings } from '../report/findings.js';
import type { VerdictName } from '../report/report.js';
import type { ActivityFacts, Change, History } from './activity-facts.js';
import { brief } from './brief.js';
import type { Manifest } from './manifest.js';
import { Order } from './order.js';
import type { Shape } from './shape.js';

/** What stands for a member that only activity tells of which the bundle withholds. */
export const UNPROVEN = Symbol('unproven');

/** What the members of a record must be, as `brief` gives them; null for one that is absent. */
export type State = Map<string, string | null | typeof UNPROVEN>;

interface Kind {
  readonly file: string;
  readonly histories: ReadonlyMap<string, History>;
  /** The members that the chain proves. */
  readonly members: readonly string[];
  /** Types of the change that a history begins with. */
  readonly makings: readonly string[];
  /** What the changes make of a record, the oldest first; a member that they do not tell is left out. */
  replay(changes: readonly Change[]): State;
  /** The member that the records are in the order of, before their id. */
  readonly orderedBy: string;
}

interface Options {
  readonly kind: Kind;
  readonly manifest: Manifest;
  readonly activity: ActivityFacts;
  readonly findings: Findings;
}

/** Compares records with what the chain of activity says about them. */
export class HistoryCheck {
  readonly #kind: Kind;
  readonly #since: number;
  readonly #activity: ActivityFacts;
  readonly #findings: Findings;
  readonly #order = new Order<string>();

  constructor({ kind, manifest, activity, findings }: Options) {
    this.#kind = kind;
    this.#activity = activity;
    this.#findings = findings;
    this.#since = manifest.activity?.since ?? 0;
  }

  /** @throws ShapeError */
  take(record: Shape): void {
    const id = record.text('id');
    const seen = record.count('activity_seq');
    const { orderedBy } = this.#kind;
    if (!this.#order.follows(record.time(orderedBy), id)) {
      const message = `The record does not stand where its ${orderedBy} and id put it.`;
      this.fail('record_order', message, id, null);
    }
    const history = this.#kind.histories.get(id);
    if (history?.isSeen) {
      // Its history is not replayed again: there may be many thousands of either.
      this.fail('record_duplicate', 'The record is there twice.', id, seen);
    } else {
      this.#known(record, history, id, seen);
    }
    for (const name of this.#kind.members) record.opt(name);
    record.done();
  }

  /**
   * Histories of which something is disclosed, and whose record was not met. What is disclosed is of
   * records that were there when the export began: those have to be there, whatever else happened.
   */
  *missing(): Generator<[id: string, made: Change]> {
    for (const [id, { changes, isSeen }] of this.#kind.histories) {
      const made = changes[0];
      const isDisclosed = changes.some(({ data }) => data !== null);
      if (!isSeen && made !== undefined && isDisclosed) yield [id, made];
    }
  }

  fail(
    code: FindingCode,
    message: string,
    id: string,
    seq: number | null,
    verdict: VerdictName = 'integrity',
  ): void {
    const at = seq === null ? { id } : { seq, id };
    this.#findings.fail(verdict, { code, file: this.#kind.file, ...at, message });
  }

  #known(record: Shape, history: History | undefined, id: string, seen: number): void {
    if (history !== undefined) history.isSeen = true;
    const changes = history?.changes.filter(({ seq }) => seq <= seen) ?? [];
    const [made] = changes;
    if (history === undefined || made === undefined || !this.#kind.makings.includes(made.type)) {
      const message = 'No activity up to its activity_seq says that the record was made.';
      this.fail('activity_unrecorded', message, id, seen);
      return;
    }
    if (made.seq > this.#since) {
      const message = `The record was made at seq ${made.seq}, when the export had begun: it cannot be in it.`;
      this.fail('activity_unrecorded', message, id, seen);
    }
    this.#recent(history, id, seen);
    this.#compare(record, changes, id, seen);
  }

  /** What changed while the export was made may be shown as it was before: how often is told. */
  #recent({ changes }: History, id: string, seen: number): void {
    if (!changes.some(({ seq }) => seq === seen)) {
      const message = `activity_seq is ${seen}, which is no activity about the record.`;
      this.fail('activity_seq', message, id, seen);
    }
    const due = changes.findLast(({ seq }) => seq <= this.#since)?.seq ?? 0;
    if (due > seen) {
      const message = `activity_seq is ${seen}; the record changed at ${due}, before the export began.`;
      this.fail('activity_seq', message, id, seen);
    } else if ((changes.at(-1)?.seq ?? 0) > seen) {
      this.#activity.outdated++;
    }
  }

  #compare(record: Shape, changes: readonly Change[], id: string, seen: number): void {
    const hidden = changes.find(({ isWithheld }) => isWithheld);
    if (hidden !== undefined) {
      const message = `The data of the activity of seq ${hidden.seq}, which is about the record, are withheld.`;
      this.fail('disclosure_missing', message, id, seen);
      return;
    }
    const state = this.#kind.replay(changes);
    if ([...state.values()].includes(UNPROVEN)) this.#activity.unproven++;
    for (const name of this.#kind.members) {
      const expected = state.get(name) ?? null;
      const value = record.opt(name);
      const actual = value === null ? null : brief(value);
      if (expected !== UNPROVEN && actual !== expected) {
        const message = `${name} is ${actual ?? 'absent'}; by the activity up to ${seen} it is ${expected ?? 'absent'}.`;
        this.fail('activity_differs', message, id, seen);
      }
    }
  }
}
