import { LedgerError } from '@decision-ledger/contract/errors';
import type { MoneySignSettings } from '@decision-ledger/contract/money-signs';
import { leadOf } from '@decision-ledger/proof/movement';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import { readSettings } from '../../access/settings/index.js';
import { readLeadAmount, type selectReports, selectSigned } from '../financial-events/index.js';
import { isHuman, readLinksOfMovement } from '../links/index.js';
import { areOpposite, comparingOf, moneyOf, readMetadata } from '../money-signs/index.js';
import { isBank } from './rules/likeness.js';
import { repeatsItself } from './rules/repeats.js';

type Reports = Awaited<ReturnType<typeof selectReports>>;

/**
 * Refuses to bring movements together that cannot be one.
 * @param named the reports (UUIDs) that a person says are of the same money
 * @param reports all reports of their movements
 * @throws LedgerError `conflict` if one is incoming money and the other outgoing, by their amounts or by links that people
 *   made or confirmed, or if a source reported both and nobody named both reports
 */
export async function refuseContradictions(
  tx: LedgerWriter,
  named: readonly string[],
  reports: Reports,
): Promise<void> {
  if (new Set(reports.map(({ lead_id }) => lead_id)).size < 2) return;
  const lead = leadOf(reports.map((row) => ({ ...row, id: row.event_id })));
  const amount = await readLeadAmount(tx, lead.event_id);
  await refuseLinks(tx, named, reports, amount);
  const { attribution } = await readSettings(tx);
  await refuseDirections(tx, attribution, reports);
  refuseSeconds(attribution, named, reports);
}

/** By what the reports that lead say themselves: what takes a part off a sale is of the same movement. */
async function refuseDirections(
  ledger: LedgerReader,
  signs: MoneySignSettings,
  reports: Reports,
): Promise<void> {
  const rows = await selectSigned(
    ledger,
    reports.map(({ event_id }) => event_id),
  );
  const told = rows.map((row) => ({
    ...{ id: row.event_id, source: row.source },
    ...moneyOf(signs, { ...row, metadata: readMetadata(row.metadata) }),
  }));
  // A transfer leaves one account and reaches another: its lines at the banks may be either.
  const isTransfer = told.some(({ isOwn }) => isOwn) || areOfBanks(told);
  if (isTransfer && told.every(({ isOwn, source }) => isOwn || isBank(source))) return;
  const leads = new Set(reports.map(({ lead_id }) => lead_id));
  const directed = told.filter(({ id }) => leads.has(id));
  const incoming = directed.find(({ sign }) => sign === 1);
  const outgoing = directed.find(({ sign }) => sign === -1);
  if (incoming === undefined || outgoing === undefined) return;
  throw new LedgerError(
    'conflict',
    `${uuidToId('evt', incoming.id)} is incoming money and ${uuidToId('evt', outgoing.id)} outgoing: they are not the same. ` +
      'Link both to the decision that moved them instead',
  );
}

/** What left one bank did not reach it again. */
const areOfBanks = (told: readonly { readonly source: string; readonly sign: number }[]): boolean =>
  told.every((one) =>
    told.every((other) => one === other || one.sign === other.sign || one.source !== other.source),
  );

/** A person may say that one source reported one payment twice, but not without naming both reports. */
function refuseSeconds(signs: MoneySignSettings, named: readonly string[], reports: Reports): void {
  const isNamed = ({ event_id }: Reports[number]) => named.includes(event_id);
  for (const one of reports) {
    const { repeats } = comparingOf(signs, one.source);
    if (repeatsItself({ source: one.source, repeats })) continue;
    const second = reports.find(
      (other) =>
        other.source === one.source &&
        other.lead_id !== one.lead_id &&
        !(isNamed(one) && isNamed(other)),
    );
    if (second === undefined) continue;
    throw new LedgerError(
      'conflict',
      `${uuidToId('evt', one.event_id)} and ${uuidToId('evt', second.event_id)} would be the same money, and ` +
        `${one.source} reported both. Part the one that is not, or say so of these two first`,
    );
  }
}

/** A movement has one sign. */
async function refuseLinks(
  tx: LedgerWriter,
  [first = '', ...others]: readonly string[],
  reports: Reports,
  amount: string,
): Promise<void> {
  const leads = new Map(reports.map(({ event_id, lead_id }) => [event_id, lead_id]));
  const own = (await readLinksOfMovement(tx, first)).filter(isHuman);
  if (own.length === 0) return;
  for (const other of others) {
    if (leads.get(first) === leads.get(other)) continue;
    const theirs = (await readLinksOfMovement(tx, other)).filter(isHuman);
    for (const link of own) {
      const opposite = theirs.find((their) => areOpposite(link, their, amount));
      if (opposite === undefined) continue;
      throw new LedgerError(
        'conflict',
        `${uuidToId('lnk', link.link_id)} and ${uuidToId('lnk', opposite.link_id)} contradict each other: ` +
          'one is incoming money, the other outgoing. Delete one of them first',
      );
    }
  }
}
