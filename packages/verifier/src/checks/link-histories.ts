import {
  formerLink,
  INHERITED_LINK_MEMBERS,
  replayLink,
} from '@decision-ledger/proof/replay/links';
import { type RecordState, UNPROVEN } from '@decision-ledger/proof/replay/state';
import { type Change, type History, unpack, unpackAll } from './activity-facts.js';

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
