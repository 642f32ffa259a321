import { activityProofsText } from '@decision-ledger/proof/bundle/activity-proofs';
import { PROVEN_TYPES } from '@decision-ledger/proof/bundle/format';
import { encodeBase64 } from '@decision-ledger/proof/tlog/base64';
import { rangeProofText } from '@decision-ledger/proof/tlog/range';
import type { ChainName } from '../../../../platform/chain/head.js';
import { SigningKeyError } from '../../signing-keys/index.js';
import { proveEach, provePinned } from '../../transparency/index.js';
import { readExportRequest } from '../custody.js';
import type { VerifiedRun } from '../export-run.js';
import { selectProvable } from '../store/chains.js';
import { type BundlePart, textPart } from './part.js';

/** The signed checkpoint of a log. */
export function checkpointPart({ logs }: VerifiedRun, chain: ChainName): BundlePart {
  return textPart(async () => ({ text: logs[chain].checkpoint, records: 0 }));
}

/** decisions.range.json: the place of the run in the log of decisions. */
export function rangePart({ ledger, snapshot, logs }: VerifiedRun): BundlePart {
  const { firstSeq: first, lastSeq: last } = snapshot;
  return textPart(async () => {
    const proof = await provePinned(ledger, logs.decisions, { first, last });
    return { text: `${rangeProofText(proof)}\n`, records: 0 };
  });
}

/** activity.proofs.json: for a bundle without the chain of activity, the records that prove its logs and its key. */
export function activityProofsPart({ ledger, snapshot, row, logs }: VerifiedRun): BundlePart {
  return textPart(async () => {
    const request = await readExportRequest(ledger, row.export_id);
    const rows = await selectProvable(ledger, PROVEN_TYPES, [request.seq, snapshot.logs.named]);
    if (rows.some(({ seq }) => seq > logs.activity.size)) throw new SigningKeyError(KEY_CHANGED);
    const paths = await proveEach(
      ledger,
      logs.activity,
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
