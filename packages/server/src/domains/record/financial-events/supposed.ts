import { leadOf } from '@decision-ledger/proof/movement';
import type { LedgerReader } from '../../../platform/ledger.js';
import { mayState, type SignedRow, selectHuman, selectSigned } from './store/counted-amounts.js';
import { type ReportRow, selectReports } from './store/movements.js';

/** The reports of a movement, and which of them leads it: UUIDs. */
export interface Grouped {
  readonly lead: string;
  readonly reports: readonly string[];
}

/** A report with its movement. */
export interface GroupedRow extends SignedRow {
  readonly movement: Grouped;
}

/** Live reports (UUIDs) as they are. */
export async function readGrouped(
  ledger: LedgerReader,
  eventIds: readonly string[],
): Promise<GroupedRow[]> {
  const reports = await selectReports(ledger, eventIds);
  const leads = new Map(reports.map(({ event_id, lead_id }) => [event_id, lead_id]));
  const members = new Map<string, string[]>();
  for (const [id, lead] of leads) members.set(lead, [...(members.get(lead) ?? []), id]);
  return (await selectSigned(ledger, eventIds)).map((row) => {
    const lead = leads.get(row.event_id) ?? row.event_id;
    return { ...row, movement: { lead, reports: members.get(lead) ?? [row.event_id] } };
  });
}

/** Live reports as they would be in other movements, of each of which all reports (UUIDs) are given. */
export async function readSupposed(
  ledger: LedgerReader,
  movements: readonly (readonly string[])[],
): Promise<GroupedRow[]> {
  const ids = movements.flat();
  const signed = new Map((await selectSigned(ledger, ids)).map((row) => [row.event_id, row]));
  const reports = (await selectReports(ledger, ids)).flatMap((report) => {
    const row = signed.get(report.event_id);
    return row === undefined ? [] : [{ ...report, ...row, id: row.event_id }];
  });
  const known = new Map(reports.map((one) => [one.id, one]));
  const links = await selectHuman(ledger, ids);
  return movements.flatMap((movement) => {
    const members = movement.flatMap((id) => known.get(id) ?? []);
    const human = links.filter(({ event_id }) => movement.includes(event_id));
    return members.length === 0 ? [] : groupedAs(members, human);
  });
}

type Member = SignedRow & ReportRow & { readonly id: string };

function groupedAs(members: readonly Member[], human: SignedRow['human']): GroupedRow[] {
  const lead = leadOf(members);
  const movement = { lead: lead.id, reports: members.map(({ id }) => id) };
  return members.map((row) => {
    const is_witness = row !== lead;
    return {
      ...{ ...row, movement, human, is_witness },
      stating: is_witness ? [] : members.flatMap(statingIn),
      witnesses: is_witness ? [] : members.filter((one) => one !== lead),
    };
  });
}

function statingIn(member: Member): SignedRow['stating'] {
  const { metadata } = member;
  return metadata !== null && mayState(member) ? [{ ...member, metadata }] : [];
}
