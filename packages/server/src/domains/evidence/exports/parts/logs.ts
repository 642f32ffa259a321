import { rangeProofText } from '@decision-ledger/proof/tlog/range';
import type { ChainName } from '../../../../platform/chain/head.js';
import { type LogPin, provePinned, readPinned } from '../../transparency/index.js';
import type { ExportRun } from '../export-run.js';
import { type Part, textPart } from './part.js';

/** The signed checkpoint of a log. */
export function checkpointPart(run: ExportRun, chain: ChainName): Part {
  return textPart(async () => {
    const text = await readPinned(run.db, run.scope, chain, pinOf(run));
    return { text, records: 0 };
  });
}

/** decisions.range.json: the place of the run in the log of decisions. */
export function rangePart(run: ExportRun): Part {
  const { db, scope, snapshot } = run;
  const { firstSeq: first, lastSeq: last } = snapshot;
  return textPart(async () => {
    const proof = await provePinned(db, scope, pinOf(run), { first, last });
    return { text: `${rangeProofText(proof)}\n`, records: 0 };
  });
}

function pinOf({ snapshot }: ExportRun): LogPin {
  if (snapshot.logs === null) throw new Error('the export holds no checkpoints');
  return snapshot.logs;
}
