import { UPLOADABLE_FIELDS } from '@decision-ledger/contract/upload';
import type { Finding } from '@decision-ledger/proof/chain';
import { legibleValue } from '@decision-ledger/proof/disclosed-value';
import { UPLOAD_MEMBER, uploadIn } from '@decision-ledger/proof/upload';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { type StatedUpload, storedDigests } from '../uploads/index.js';

/** How the value of a field begins that stands for an upload. */
export const UPLOAD_OPENING = `{"${UPLOAD_MEMBER}":{`;

/** The payload of a stored decision. */
interface Row {
  readonly seq: number;
  /** UUID. */
  readonly decision_id: string;
  readonly inputs: string | null;
  readonly outputs: string | null;
}

interface Stated extends StatedUpload {
  readonly id: string;
  readonly sha256: string;
}

/** The first upload that a decision states and that is not stored so, for each decision of which that is true, by seq. */
export async function findUploadFaults(
  ledger: LedgerReader,
  rows: readonly Row[],
): Promise<ReadonlyMap<number, Finding>> {
  const stated = rows.flatMap(statedIn);
  const digests = await storedDigests(ledger, stated);
  const faults = new Map<number, Finding>();
  for (const [index, { seq, id, field, sha256: expected }] of stated.entries()) {
    const actual = digests[index] ?? null;
    if (actual === expected || faults.has(seq)) continue;
    faults.set(seq, { seq, id, kind: 'commitment', expected, actual, detail: field });
  }
  return faults;
}

function statedIn(row: Row): Stated[] {
  return UPLOADABLE_FIELDS.flatMap((field) => {
    const text = row[field];
    if (text === null || !text.includes(UPLOAD_OPENING)) return [];
    const upload = uploadIn(legibleValue(text, field));
    if (upload === null) return [];
    const { sha256, size } = upload;
    return [{ seq: row.seq, id: uuidToId('dec', row.decision_id), field, sha256, size }];
  });
}
