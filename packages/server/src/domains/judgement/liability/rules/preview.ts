import { Big } from 'big.js';

/** The exposures of one decision with two settings: decimal text, each in the base currency of its settings. */
export interface ExposurePair {
  readonly actionType: string;
  readonly before: string;
  readonly after: string;
  readonly isChanged: boolean;
}

/** Sums over decisions. */
export interface PairSums {
  decisions: number;
  changed: number;
  before: Big;
  after: Big;
}

const none = (): PairSums => ({ decisions: 0, changed: 0, before: new Big(0), after: new Big(0) });

/** Adds up pairs, in total and by action type. */
export class PairTotals {
  readonly total = none();
  readonly byActionType = new Map<string, PairSums>();

  add({ actionType, before, after, isChanged }: ExposurePair): void {
    const own = this.byActionType.get(actionType) ?? none();
    this.byActionType.set(actionType, own);
    for (const sums of [this.total, own]) {
      sums.decisions += 1;
      sums.changed += isChanged ? 1 : 0;
      sums.before = sums.before.plus(before);
      sums.after = sums.after.plus(after);
    }
  }

  /** Action types by the size of their change, the largest first; then by name. */
  ranked(): [actionType: string, sums: PairSums][] {
    const size = ({ before, after }: PairSums) => after.minus(before).abs();
    return [...this.byActionType].sort(
      ([a, x], [b, y]) => size(y).cmp(size(x)) || (a < b ? -1 : 1),
    );
  }
}
