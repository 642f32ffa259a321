import { activityProofsText } from '@decision-ledger/proof/bundle/activity-proofs';
import { PROVEN_TYPES } from '@decision-ledger/proof/bundle/format';
import { encodeBase64 } from '@decision-ledger/proof/tlog/base64';
import { rangeProofText } from '@decision-ledger/proof/tlog/range';
import type { ChainName } from '../../../../platform/chain/head.js';
import { SigningKeyError } from '../../signing-keys/index.js';
import { proveActivity, provePinned, readPinned } from '../../transparency/index.js';
import { readRequest } from '../custody.js';
import type { ExportRun } from '../export-run.js';
import { selectProvable } from '../store/chains.js';
import { type Part, textPart } from './part.js';

/** The signed checkpoint of a log. */
export function checkpointPart(run: ExportRun, chain: ChainName): Part {
  return textPart(async () => {
    const text = await readPinned(run.db, run.scope, chain, run.snapshot.logs);
    return { text, records: 0 };
  });
}

/** decisions.range.json: the place of the run in the log of decisions. */
export function rangePart(run: ExportRun): Part {
  const { db, scope, snapshot } = run;
  const { firstSeq: first, lastSeq: last, logs } = snapshot;
  return textPart(async () => {
    const proof = await provePinned(db, scope, logs, { first, last });
    return { text: `${rangeProofText(proof)}\n`, records: 0 };
  });
}

/** activity.proofs.json: for a bundle without the chain of activity, the records that prove its logs and its key. */
export function activityProofsPart({ db, scope, snapshot, row }: ExportRun): Part {
  const { logs } = snapshot;
  return textPart(async () => {
    const request = await readRequest(db, scope, row.export_id);
    const rows = await selectProvable(db, scope, PROVEN_TYPES, [request.seq, logs.named]);
    if (rows.some(({ seq }) => seq > logs.activity)) throw new SigningKeyError(KEY_CHANGED);
    const paths = await proveActivity(
      db,
      scope,
      logs,
      rows.map(({ seq }) => seq),
    );
    const records = rows.map(({ seq, entry, data }, at) => ({
      ...{ entry, data, index: seq - 1 },
      path: (paths[at] ?? []).map(encodeBase64),
    }));
    return { text: activityProofsText(records), records: 0 };
  });
}

const KEY_CHANGED = 'the signing key was replaced while the export was made: request it again';
