import type { LogFollower } from '../../../platform/followers/follower.js';
import { catchUp, OutdatedError, takeStep } from '../../../platform/followers/step.js';
import type { Ledger, LedgerReader } from '../../../platform/ledger.js';
import { selectLastErasure } from '../../record/decisions/index.js';
import { firstEstimatePages, unmakeable } from './first-estimates.js';
import { type NewEstimate, selectStoredSeqs } from './store/estimates.js';
import { ESTIMATES, storeFirst } from './store/exposure.js';
import { lockLiabilityState } from './store/liability-states.js';

/** Stores the first estimates of decisions, and adds them to the cells, so that analyses stay fast. */
export const estimateFollower: LogFollower = {
  name: ESTIMATES,
  kind: 'projection',
  follows: ['decisions'],
  owns: ['exposure_cells'],
  step: 1000,
  // The sums must have all estimates before a position: they wait, whatever fails.
  isFatal: () => true,
  async advance(ledger, { log, after, until }) {
    const span = { after, until };
    const erasure = await selectLastErasure(ledger);
    const { made, gap } = await readUntilGap(ledger, span);
    if (gap !== null) {
      const before = { log, after, until: gap - 1, isLast: false };
      if (before.until > after) await takeStep(ledger, estimateFollower, before);
      throw unmakeable(gap);
    }
    return {
      async write(tx) {
        // Who changes an estimate changes the cells, if it is in them. An erasure takes this lock before it erases.
        await lockLiabilityState(tx);
        if ((await selectLastErasure(tx)) !== erasure)
          throw new OutdatedError('fields were erased in the meantime');
        await storeFirst(tx, span, made);
      },
    };
  },
};

interface UntilGap {
  readonly made: readonly NewEstimate[];
  /** The first decision (seq) whose estimate is not stored and cannot be made. */
  readonly gap: number | null;
}

async function readUntilGap(
  ledger: LedgerReader,
  span: { readonly after: number; readonly until: number },
): Promise<UntilGap> {
  const made: NewEstimate[] = [];
  for await (const page of firstEstimatePages(ledger, span)) {
    // A change of links may have stored it before its snapshot was lost.
    const stored =
      page.unmade.length > 0 ? await selectStoredSeqs(ledger, { seqs: page.unmade }) : [];
    const gap = page.unmade.find((seq) => !stored.includes(seq));
    if (gap !== undefined) return { made, gap };
    made.push(...page.made);
  }
  return { made, gap: null };
}

/**
 * Stores the estimates of all decisions that are recorded when it begins.
 * @throws if one cannot be made
 */
export function storeEstimates(
  ledger: Ledger,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  return catchUp(ledger, estimateFollower, signal);
}
