import { readChain } from '../../../platform/chain/head.js';
import { noteProgress, selectDueFailures } from '../../../platform/followers/due-work.js';
import type { DueFollower } from '../../../platform/followers/follower.js';
import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import { OUTCOMES_DUE, readSettings } from '../../access/settings/index.js';
import { legibleFeatures, letWait, readingOf, selectWindow } from './extract.js';
import { selectDecisionFields, updateOutcomes } from './store/decision-features.js';
import { lockAttributionState, selectState } from './store/models.js';

/** Decisions per transaction. Extraction waits for its lock. */
const STEP = 200;

/** How far the outcomes are read again. */
interface Progress {
  /** The last decision that is done. */
  readonly after: number;
  /** Decisions after this one are read with the changed settings in any case. */
  readonly end: number;
}

/** Reads the outcomes of all decisions again after the settings that say how changed. */
export const outcomeFollower: DueFollower = {
  name: OUTCOMES_DUE,
  kind: 'projection',
  subjects: 'led',
  owns: [],
  step: 1,
  lane: 'long',
  async advance(ledger, { due: [ours] }) {
    const { after, end } = await progressOf(ledger, ours?.progress ?? null);
    const { extracted } = await selectState(ledger);
    // What is not extracted yet may be extracted with the former settings in this moment.
    if (extracted <= after && after < end) return null;
    const until = Math.min(end, extracted);
    return {
      lock: lockAttributionState,
      async write(tx, ids) {
        const last = await readStep(tx, after, until);
        if (last >= end) return ids;
        await noteProgress(tx, OUTCOMES_DUE, tx.ledgerId, `${last} ${end}`);
        return [];
      },
    };
  },
};

/** Whether outcomes are being read again. What a failed reading left is a fault like any other. */
export async function isReadingAgain(reader: LedgerReader): Promise<boolean> {
  return (await selectDueFailures(reader, OUTCOMES_DUE, reader.ledgerId)) === 0;
}

async function progressOf(reader: LedgerReader, noted: string | null): Promise<Progress> {
  if (noted === null) return { after: 0, end: (await readChain(reader, 'decisions'))?.seq ?? 0 };
  const [after = 0, end = 0] = noted.split(' ').map(Number);
  return { after, end };
}

/** @returns the last decision of the step */
async function readStep(tx: LedgerWriter, after: number, until: number): Promise<number> {
  if (until <= after) return after;
  const last = Math.min(until, after + STEP);
  const settings = await readSettings(tx);
  const reading = readingOf(tx.scope, settings);
  const { rows } = await selectDecisionFields(tx, after, last);
  const read = rows.flatMap((row) => legibleFeatures(reading, row));
  const changed = new Set(await updateOutcomes(tx, read));
  const concerned = read.filter(({ seq }) => changed.has(seq));
  if (concerned.length > 0) await letWait(tx, concerned, await selectWindow(tx, settings));
  return rows.at(-1)?.seq ?? last;
}
