import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import { readSettings } from '../../access/settings/index.js';
import { ReversalReader, readEvents, reconsider } from '../../record/financial-events/index.js';
import type { RecordHooks } from '../../record/hooks/index.js';
import { type ReadLink, readLinksOfEvents, writeInherited } from '../../record/links/index.js';
import { classifyEvent } from '../../record/money-signs/index.js';
import { selectConsideredLinks, selectMovementVerdicts } from '../attribution/index.js';
import { type Caused, inheritanceOf, type Reversal } from './inheritance.js';

/** Movements whose links follow in the same transaction; further ones follow soon. */
const MOST = 100;

/**
 * Gives the movements of some events (UUIDs), and those that reverse them, what they take from their payments, after links,
 * movements, or what people said of them changed. The caller holds the lock on the activity of the ledger.
 */
export async function inheritCauses(
  tx: LedgerWriter,
  hooks: RecordHooks,
  eventIds: readonly string[],
): Promise<void> {
  const reversals = new ReversalReader(tx);
  const leads = await reversals.readLeads(eventIds);
  const refunds = await reversals.readReversing(leads);
  const failed = refunds.length === 0 ? [] : await reversals.readReversing(refunds);
  const all = [...new Set([...leads, ...refunds, ...failed])];
  const most = Math.max(MOST, leads.length);
  await reconsider(tx, all.slice(most));
  const found = await readReversals(tx, reversals, all.slice(0, most));
  await writeInherited(tx, hooks, found.map(inheritanceOf));
}

/** Those of some movements that take something from payments, or may. */
async function readReversals(
  tx: LedgerReader,
  reversals: ReversalReader,
  leads: readonly string[],
): Promise<Reversal[]> {
  const first = await reversals.readReversed(leads);
  const concerned = leads.filter((lead) => first.has(lead) || reversals.isInheriting(lead));
  if (concerned.length === 0) return [];
  const payments = [...new Set(first.values())];
  const second = payments.length === 0 ? first : await reversals.readReversed(payments);
  const concerning = [...new Set([...concerned, ...payments, ...second.values()])];
  const links = await readLinks(tx, reversals, concerning);
  const events = await readEvents(tx, concerned);
  const { attribution } = await readSettings(tx);
  const said = await readSaid(tx, concerned);
  const causedOf = (lead: string): Caused => ({ lead, links: links.get(lead) ?? [] });
  return concerned.flatMap((lead): Reversal[] => {
    const event = events.get(lead);
    if (event === undefined) return [];
    const payment = first.get(lead);
    const before = payment === undefined ? undefined : second.get(payment);
    const own = classifyEvent(attribution, event);
    const reversal = { ...causedOf(lead), own, ...said(lead) };
    if (payment === undefined) return [{ ...reversal, reversed: [] }];
    if (before === undefined) return [{ ...reversal, reversed: [causedOf(payment)] }];
    return [{ ...reversal, reversed: [causedOf(payment), causedOf(before)] }];
  });
}

/** The links of movements that stand, by the report (UUID) that leads. */
async function readLinks(
  tx: LedgerReader,
  reversals: ReversalReader,
  leads: readonly string[],
): Promise<ReadonlyMap<string, readonly ReadLink[]>> {
  const leadBy = new Map(
    leads.flatMap((lead) => reversals.reportsOf(lead).map((report) => [report, lead] as const)),
  );
  const links = new Map<string, ReadLink[]>();
  for (const link of await readLinksOfEvents(tx, [...leadBy.keys()])) {
    const lead = leadBy.get(link.event_id) ?? link.event_id;
    const others = links.get(lead);
    if (others === undefined) links.set(lead, [link]);
    else others.push(link);
  }
  return links;
}

/** What people said of the causes of movements, without making a link. */
async function readSaid(tx: LedgerReader, leads: readonly string[]) {
  const rejected = (await selectConsideredLinks(tx, leads)).filter(
    ({ status }) => status === 'REJECTED',
  );
  const denied = new Set(
    (await selectMovementVerdicts(tx, leads))
      .filter(({ verdict }) => verdict === 'none')
      .map(({ event_id }) => event_id),
  );
  return (lead: string): Pick<Reversal, 'refused' | 'isDenied'> => ({
    refused: new Set(
      rejected.flatMap(({ event_id, decision_id }) => (event_id === lead ? [decision_id] : [])),
    ),
    isDenied: denied.has(lead),
  });
}
