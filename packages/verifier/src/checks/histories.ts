import type { RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import type { Shape } from '@decision-ledger/proof/bundle/shape';
import {
  formerLink,
  INHERITED_LINK_MEMBERS,
  replayLink,
} from '@decision-ledger/proof/replay/links';
import { briefText, type RecordState, UNPROVEN } from '@decision-ledger/proof/replay/state';
import type { FindingCode } from '../report/codes.js';
import type { Findings } from '../report/findings.js';
import type { VerdictName } from '../report/report.js';
import {
  type ActivityFacts,
  type Change,
  type History,
  unpack,
  unpackAll,
} from './activity-facts.js';
import { Order } from './record-lines.js';
import type { Chosen } from './selection/chosen.js';

interface Kind {
  readonly file: string;
  readonly histories: ReadonlyMap<string, History>;
  /** The members that the chain proves. */
  readonly members: readonly string[];
  /** The types of the first change of a history. */
  readonly makings: readonly string[];
  /** The record that results from the changes, oldest first, without members that they do not set. */
  replay(changes: readonly Change[]): RecordState;
  /** Records are ordered by this member, then by id. */
  readonly orderedBy: string;
}

/** The bundle of the records, and what its chains say. */
export interface RecordsContext {
  readonly manifest: RecordsManifest;
  readonly activity: ActivityFacts;
  readonly findings: Findings;
  /** What the bundle must show; null if it shows everything of its range. */
  readonly chosen: Chosen | null;
}

interface Options {
  readonly kind: Kind;
  readonly manifest: RecordsManifest;
  readonly activity: ActivityFacts;
  readonly findings: Findings;
}

/** Compares records with the chain of activity. */
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
    this.#since = manifest.activity.since;
  }

  /** @throws ShapeError */
  check(record: Shape): void {
    const id = record.text('id');
    const seen = record.count('activity_seq');
    const { orderedBy } = this.#kind;
    if (!this.#order.follows(record.time(orderedBy), id)) {
      const message = `The record is not in the position of its ${orderedBy} and id.`;
      this.fail('record_order', message, id, null);
    }
    const history = this.#kind.histories.get(id);
    if (history?.isSeen) {
      // Not replayed again: a hostile bundle may repeat a long history many thousands of times.
      this.fail('record_duplicate', 'The record appears twice.', id, seen);
    } else {
      this.#known(record, history, id, seen);
    }
    for (const name of this.#kind.members) record.opt(name);
    record.done();
  }

  /**
   * Disclosed histories without a record. A disclosed change belongs to a record that existed when the
   * export began, so the record must be in the bundle.
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
      const message = 'No activity up to its activity_seq records its creation.';
      this.fail('activity_unrecorded', message, id, seen);
      return;
    }
    if (made.seq > this.#since) {
      const message = `The record was created at seq ${made.seq}, after the export began, so it cannot be in the export.`;
      this.fail('activity_unrecorded', message, id, seen);
    }
    this.#recent(history, id, seen);
    this.#compare(record, changes, id, seen);
  }

  /** A record may be shown as it was before a change during the export; such records are counted. */
  #recent({ changes }: History, id: string, seen: number): void {
    if (!changes.some(({ seq }) => seq === seen)) {
      const message = `activity_seq is ${seen}, which is not an activity of the record.`;
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
      const message = `The data of activity seq ${hidden.seq}, which belong to the record, are withheld.`;
      this.fail('disclosure_missing', message, id, seen);
      return;
    }
    const state = this.#kind.replay(changes);
    if ([...state.values()].includes(UNPROVEN)) this.#activity.unproven++;
    for (const name of this.#kind.members) {
      const expected = state.get(name) ?? null;
      const value = record.opt(name);
      const actual = value === null ? null : briefText(value);
      if (expected === UNPROVEN) continue;
      if (actual !== expected) {
        const message = `${name} is ${actual ?? 'absent'}; the activity up to ${seen} says ${expected ?? 'absent'}.`;
        this.fail('activity_differs', message, id, seen);
      }
    }
  }
}

/** Replays the changes of links. */
export class LinkHistories {
  readonly #histories: ReadonlyMap<string, History>;
  /** By id of the link that was carried over. */
  readonly #former = new Map<string, RecordState>();

  constructor(histories: ReadonlyMap<string, History>) {
    this.#histories = histories;
  }

  replay(changes: readonly Change[]): RecordState {
    const former = formerOf(changes);
    return replayLink(
      unpackAll(changes),
      former === null ? null : this.#inheritance(former, changes),
    );
  }

  /**
   * A link may be carried over repeatedly, each time replacing an earlier one. Each is replayed once.
   */
  #inheritance(former: string, changes: readonly Change[]): RecordState {
    const line: { readonly id: string; readonly changes: readonly Change[] }[] = [];
    let id: string | null = former;
    let state: RecordState | null = null;
    let before = changes[0]?.seq ?? 0;
    while (id !== null) {
      const known: RecordState | undefined = this.#former.get(id);
      const own: readonly Change[] = this.#histories.get(id)?.changes ?? [];
      const made = own[0]?.seq ?? before;
      if (known !== undefined || made >= before) {
        state = known ?? new Map();
        break;
      }
      line.push({ id, changes: own });
      before = made;
      id = formerOf(own);
    }
    for (const one of line.reverse()) {
      const isWithheld = one.changes.some((change) => change.isWithheld);
      state = isWithheld
        ? new Map(INHERITED_LINK_MEMBERS.map((name) => [name, UNPROVEN]))
        : replayLink(unpackAll(one.changes), state);
      this.#former.set(one.id, state);
    }
    return state ?? new Map();
  }
}

/** Id of the link that this one replaces, or null. */
function formerOf([made]: readonly Change[]): string | null {
  return made === undefined ? null : formerLink({ ...made, data: unpack(made) });
}
