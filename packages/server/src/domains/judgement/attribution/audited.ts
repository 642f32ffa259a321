import type { Audit } from '@decision-ledger/attribution/audits';
import { judgeAudit } from '@decision-ledger/attribution/audits';
import type { LedgerReader } from '../../../platform/ledger.js';
import { type AuditRow, type RecordedRange, selectAudits } from './store/audits.js';

/** The audits of events that were recorded in a range, with what people said of them. */
export async function readAudits(ledger: LedgerReader, range: RecordedRange): Promise<Audit[]> {
  const byEvent = new Map<string, AuditRow[]>();
  for (const row of await selectAudits(ledger, range)) {
    const others = byEvent.get(row.event_id);
    if (others === undefined) byEvent.set(row.event_id, [row]);
    else others.push(row);
  }
  return [...byEvent.values()].flatMap((rows) => toAudit(rows));
}

/** @param rows of one event, oldest first */
function toAudit(rows: readonly AuditRow[]): Audit[] {
  const [row] = rows;
  if (row === undefined) return [];
  const said = rows.filter(({ verdict }) => verdict !== null && verdict !== 'skipped');
  const suggestions = said[0]?.suggestions ?? null;
  const decisions = (verdict: AuditRow['verdict']) =>
    said.flatMap((one) =>
      one.verdict === verdict && one.decision_id !== null ? [one.decision_id] : [],
    );
  const answer = judgeAudit(
    suggestions?.map(({ decision_id, share, label }) => ({
      decisionId: decision_id,
      share,
      isMatched: label === 'matched',
    })) ?? null,
    {
      causes: decisions('cause'),
      others: decisions('not_cause'),
      isNone: said.some(({ verdict }) => verdict === 'none'),
      isSkipped: rows.some(({ verdict }) => verdict === 'skipped'),
    },
  );
  const { month, source, band, probability } = row;
  return [{ month, stratum: `${band} ${source}`, probability, answer }];
}
