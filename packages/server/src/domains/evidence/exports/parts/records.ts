import type { Liability } from '@decision-ledger/contract/liability';
import { uuidToId } from '../../../../platform/ids.js';
import type { LedgerReader } from '../../../../platform/ledger.js';
import { readLiabilities } from '../../../judgement/liability/index.js';
import { type SubjectBounds, selectSubjectBounds } from '../../../log/activity/index.js';
import { type EvidenceRow, selectDecisionEvidence } from '../../../record/decisions/index.js';
import {
  describeEvent,
  isInRangeOrAmong,
  selectEventEvidence,
} from '../../../record/financial-events/index.js';
import {
  describeEvidence,
  isLinkedToChosen,
  selectLinkEvidence,
  selectLinkedToChosen,
} from '../../../record/links/index.js';
import { type ExportRun, shownRange } from '../export-run.js';
import { partnersInRange, partnersOfChosen, uuidsOf } from '../movements.js';
import { decisionLine } from '../rules/disclosed-decision.js';
import { readExportPosition, writeExportPosition } from '../store/decisions.js';
import { type BundlePart, recordsPart } from './part.js';

/** Limits of a page. */
const MAX_DECISIONS = { records: 100, bytes: 1024 * 1024 };
const MAX_EVENTS = { records: 200, bytes: 1024 * 1024 };
const MAX_LINKS = 200;

/** decisions.json: the decisions of the range with their proofs. */
export function decisionsPart(run: ExportRun): BundlePart {
  const { ledger } = run;
  return recordsPart<{ readonly row: EvidenceRow; readonly line: string }>({
    async page(after) {
      const place = after === null ? null : readExportPosition(after);
      const rows = await selectDecisionEvidence(ledger, shownRange(run), place, MAX_DECISIONS);
      const seqs = rows.map(({ seq }) => seq);
      const liabilities = await readLiabilities(ledger, seqs);
      return rows.map((row) => ({ row, line: lineOf(row, liabilities.get(row.seq) ?? null) }));
    },
    position: ({ row }) => writeExportPosition(row),
    line: ({ line }) => line,
  });
}

function lineOf(row: EvidenceRow, liability: Liability | null): string {
  return decisionLine({ ...row, decision_id: uuidToId('dec', row.decision_id) }, liability);
}

/**
 * events.json: the financial events of the range, or those that are linked to the chosen decisions, and the events that
 * report the same money.
 */
export function eventsPart(run: ExportRun): BundlePart {
  const { ledger, snapshot, selection } = run;
  const partnersOf = partnersOnce(run);
  return changingPart(run, {
    async read(tx, after) {
      const partners = await partnersOf(tx);
      const isShown =
        selection === null
          ? isInRangeOrAmong(snapshot, partners)
          : isLinkedToChosen(ledger.scope, { ...shownRange(run), partners });
      return selectEventEvidence(tx, isShown, readEventPlace(after), MAX_EVENTS);
    },
    position: (row) => `${row.timestamp} ${row.event_id}`,
    describe: describeEvent,
  });
}

/** The events (UUIDs) that report the same money as what the bundle shows, read once. */
function partnersOnce(run: ExportRun): (tx: LedgerReader) => Promise<readonly string[]> {
  const { snapshot, selection } = run;
  let partners: readonly string[] | null = null;
  return async (tx) => {
    partners ??=
      selection === null
        ? uuidsOf(await partnersInRange(tx, snapshot))
        : await partnersOfChosen(tx, snapshot, (ids) =>
            selectLinkedToChosen(tx, shownRange(run), ids),
          );
    return partners;
  };
}

function readEventPlace(after: string | null) {
  if (after === null) return null;
  const [at = '', id = ''] = after.split(' ');
  return { at: Number(at), id };
}

/**
 * links.json: the links of the decisions and events of the range and of the events that report the same money, or the
 * confirmed ones of the chosen decisions.
 */
export function linksPart(run: ExportRun): BundlePart {
  const range = shownRange(run);
  const partnersOf = partnersOnce(run);
  return changingPart(run, {
    async read(tx, after) {
      const partners = run.selection === null ? await partnersOf(tx) : [];
      return selectLinkEvidence(tx, { ...range, partners }, readLinkPlace(after), MAX_LINKS);
    },
    position: (row) => `${row.created_at} ${row.link_id}`,
    describe: describeEvidence,
  });
}

function readLinkPlace(after: string | null) {
  if (after === null) return null;
  const [createdAt = '', linkId = ''] = after.split(' ');
  return { createdAt: Number(createdAt), linkId };
}

/** Records that can change later; the chain of activity records each change. */
interface ChangingRecords<Row> {
  /** The records after a position; null reads the first ones. None at the end. */
  read(snapshot: LedgerReader, after: string | null): Promise<readonly Row[]>;
  position(row: Row): string;
  /** As the API returns it, with its public id. */
  describe(row: Row): object & { readonly id: string };
}

interface ChangingRecord<Row> {
  readonly row: Row;
  readonly shown: object & { readonly id: string };
  readonly bounds: SubjectBounds | undefined;
}

/**
 * Reads a page of records and their last changes in one snapshot of the database. Records made after the
 * export started are excluded. What the chain records besides is found when its entries are copied.
 */
function changingPart<Row>(
  { ledger, snapshot }: ExportRun,
  kind: ChangingRecords<Row>,
): BundlePart {
  return recordsPart<ChangingRecord<Row>>({
    page: (after) =>
      ledger.read(async (tx) => {
        const rows = await kind.read(tx, after);
        const items = rows.map((row) => ({ row, shown: kind.describe(row) }));
        const ids = items.map(({ shown }) => shown.id);
        const bounds = await selectSubjectBounds(tx, ids);
        return items.map((item) => ({ ...item, bounds: bounds.get(item.shown.id) }));
      }),
    position: ({ row }) => kind.position(row),
    line({ shown, bounds }) {
      if (bounds !== undefined && bounds.first > snapshot.since) return null;
      return JSON.stringify({ ...shown, activity_seq: bounds?.last ?? null });
    },
  });
}
