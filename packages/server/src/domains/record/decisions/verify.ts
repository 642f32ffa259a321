import type { ErasableField } from '@decision-ledger/contract/erasure';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { type DecisionColumns, decisionWalk, type Finding } from '@decision-ledger/proof/chain';
import { commitmentOf } from '@decision-ledger/proof/commitment';
import {
  type ChainSource,
  type RecordSpan,
  type RecordToVerify,
  type Verification,
  type VerificationProgress,
  type VerifyRequest,
  verifyChain,
} from '../../../platform/chain/verify.js';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import type { Scope } from '../../../platform/principal.js';
import { Erasures } from './erase.js';
import { readMetadata, termsText } from './rules/metadata.js';
import { findUploadFaults } from './stated-uploads.js';
import {
  copyDecisionRecords,
  type DecisionRecordRow,
  selectDecisionRecords,
} from './store/decisions.js';
import { WholeForm, WholePage } from './whole-page.js';

/** Verifies the chain of decisions: entries, links, commitments, columns, head. */
export function verifyDecisions(
  ledger: LedgerReader,
  request: VerifyRequest,
  onProgress?: (progress: VerificationProgress) => void,
): Promise<Verification> {
  return verifyChain(ledger, source(ledger, checkDerived), request, onProgress);
}

/** The same without what follows from the recorded decisions, which can be made again. */
export function verifyRecorded(
  ledger: LedgerReader,
  request: VerifyRequest,
  onProgress?: (progress: VerificationProgress) => void,
): Promise<Verification> {
  return verifyChain(
    ledger,
    source(ledger, () => null),
    request,
    onProgress,
  );
}

type Check = (scope: Scope, row: DecisionRecordRow) => Finding | null;

function source(ledger: LedgerReader, check: Check): ChainSource<DecisionColumns> {
  const erasures = new Erasures(ledger);
  let form: WholeForm | undefined;
  return {
    chain: 'decisions',
    timeColumn: 'timestamp',
    walk: (start) => decisionWalk(start, erasures),
    async passed(reader, span, at) {
      const settled = await erasures.settle();
      form ??= new WholeForm(ledger.ledgerId, at.ledger, at.epoch);
      const page = new WholePage(form, at);
      await copyDecisionRecords(reader, span, (row) => page.take(row));
      const isWhole =
        page.isWhole &&
        page.records > 0 &&
        !page.statesUploads &&
        (await erasures.explain(page, settled));
      return isWhole ? page : null;
    },
    async records(reader, span) {
      const settled = await erasures.settle();
      const { rows, faults } = await selectWithUploads(reader, span);
      await erasures.load(rows, settled);
      return rows.map((row) => {
        const restored = erasures.restored(row, settled);
        const finding =
          restored === undefined ? check(ledger.scope, row) : findRestored(row, restored);
        return readRecord(row, finding ?? faults.get(row.seq) ?? null);
      });
    },
  };
}

/** Records with what is wrong with their uploads, by seq. */
async function selectWithUploads(reader: LedgerReader, span: RecordSpan) {
  const rows = await selectDecisionRecords(reader, span);
  const faults = await findUploadFaults(reader, rows);
  if (faults.size === 0) return { rows, faults };
  // An erasure may have taken uploads away since the rows were read.
  const again = await selectDecisionRecords(reader, span);
  return { rows: again, faults: await findUploadFaults(reader, again) };
}

function readRecord(
  row: DecisionRecordRow,
  finding: Finding | null,
): RecordToVerify<DecisionColumns> {
  const { inputs, outputs, alternatives, metadata } = row;
  const id = uuidToId('dec', row.decision_id);
  const createdAt = formatTimestamp(row.created_at);
  const isOwnTime = row.timestamp === row.created_at;
  return {
    record: {
      seq: row.seq,
      hash: row.hash,
      prevHash: row.prev_hash,
      entry: row.entry,
      columns: {
        decision_id: id,
        agent_id: row.agent_id,
        action_type: row.action_type,
        confidence: row.confidence,
        human_in_loop: row.human_in_loop,
        timestamp: isOwnTime ? createdAt : formatTimestamp(row.timestamp),
        created_at: createdAt,
      },
      disclosures: { inputs, outputs, alternatives, metadata },
    },
    id,
    epoch: row.epoch,
    finding,
    bytes: row.entry.length + size(inputs) + size(outputs) + size(alternatives) + size(metadata),
  };
}

const size = (text: string | null): number => text?.length ?? 0;

/** A value that matches its commitment but was erased. */
function findRestored(row: DecisionRecordRow, field: ErasableField): Finding {
  const id = uuidToId('dec', row.decision_id);
  const value = row[field];
  const actual = value === null ? null : commitmentOf(value);
  return { seq: row.seq, id, kind: 'commitment', expected: null, actual, detail: field };
}

/** Checks the columns that are derived from the entry and not part of it. */
function checkDerived({ ledgerId }: Scope, row: DecisionRecordRow): Finding | null {
  const metadata = readMetadata(row.metadata);
  const expected = termsText(ledgerId, row.agent_id, row.action_type, metadata);
  if (expected === row.terms) return null;
  const id = uuidToId('dec', row.decision_id);
  return { seq: row.seq, id, kind: 'column', expected, actual: row.terms, detail: 'terms' };
}
