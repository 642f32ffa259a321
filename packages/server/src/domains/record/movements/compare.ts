import { MOVEMENT_TYPES } from '@decision-ledger/proof/activity-types';
import type { RecordedChange } from '@decision-ledger/proof/replay/state';
import { idToUuid, uuidToId } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { selectHistories } from '../../log/activity/index.js';
import { isHuman, readLinksOfEvents } from '../links/index.js';
import { areOpposite } from '../money-signs/index.js';
import { type Neighbourhood, ReportReader, readNeighbourhood } from './neighbourhood.js';
import type { Pair } from './rules/possibilities.js';
import type { Report } from './rules/report.js';
import { type Said, settle } from './rules/same-money.js';
import type { Settled } from './rules/settled.js';
import { selectSuperseded } from './store/reports.js';

/** Movements as rules and people make them, around some reports. */
export interface Compared extends Settled, Neighbourhood {}

/** Compares reports (UUIDs), deleted or not, with all that may be of the same money. */
export async function compareReports(
  ledger: LedgerReader,
  eventIds: readonly string[],
  reader = new ReportReader(ledger),
): Promise<Compared> {
  const found = await readNeighbourhood(ledger, eventIds, reader);
  const reports = [...found.reports.values()];
  if (found.isAlone) {
    const alone = settle(reports, NOTHING_SAID);
    // Nothing can have been said of reports that have no other one near.
    if (alone.pairs.length + alone.doubtful.length === 0) return { ...alone, ...found };
  }
  return { ...settle(reports, await readSaid(ledger, reports)), ...found };
}

/** The movements that differ from the stored ones, with all whose reports they take. */
export function changedMovements({ movements, lookedAt, leads }: Compared): readonly string[][] {
  const near = new Set(lookedAt);
  const byLead = new Map<string, string[]>();
  for (const [id, lead] of leads) byLead.set(lead, [...(byLead.get(lead) ?? []), id]);
  const isStored = (movement: readonly string[]) => {
    const stored = new Set(movement.map((id) => leads.get(id)));
    const [lead = ''] = stored;
    return stored.size === 1 && byLead.get(lead)?.length === movement.length;
  };
  const chosen = new Set(
    movements.filter((movement) => !isStored(movement) && movement.some((id) => near.has(id))),
  );
  for (let size = -1; size !== chosen.size; ) {
    size = chosen.size;
    const taken = new Set([...chosen].flat().map((id) => leads.get(id)));
    for (const movement of movements) {
      if (movement.some((id) => taken.has(leads.get(id)))) chosen.add(movement);
    }
  }
  return [...chosen].map((movement) => [...movement]);
}

const NOTHING_SAID: Said = { same: [], apart: [], contradicted: [] };

/** What people said last of pairs of reports. */
async function readSaid(ledger: LedgerReader, reports: readonly Report[]): Promise<Said> {
  const statements = await readStatements(
    ledger,
    reports.map(({ id }) => id),
  );
  return {
    same: statements.flatMap(({ pair, isSame }) => (isSame ? [pair] : [])),
    apart: statements.flatMap(({ pair, isSame }) => (isSame ? [] : [pair])),
    contradicted: await readContradicted(ledger, reports),
  };
}

interface Statement {
  readonly pair: Pair;
  readonly isSame: boolean;
  /** Whether it takes back what was said last of the pair, and says nothing else. */
  readonly isTakingBack: boolean;
}

/** What people said last of pairs of live reports (UUIDs), and of those that they superseded, and did not take back. */
export async function readStatements(
  ledger: LedgerReader,
  ids: readonly string[],
): Promise<Statement[]> {
  const superseded = await selectSuperseded(ledger, ids);
  const current = new Map([
    ...ids.map((id) => [id, id] as const),
    ...superseded.map(({ event_id, former }) => [former, event_id] as const),
  ]);
  const subjects = [...current.keys()].map((id) => uuidToId('evt', id));
  const histories = await selectHistories(ledger, subjects, MOVEMENT_TYPES);
  const said = [...histories]
    .flatMap(([subject, changes]) => changes.map((change) => ({ subject, change })))
    .sort((one, other) => one.change.seq - other.change.seq);
  const standing = new Map<string, Statement[]>();
  for (const { subject, change } of said) {
    const statement = statementOf(subject, change, current);
    if (statement === null) continue;
    const key = [...statement.pair].sort().join();
    standing.set(key, withNext(standing.get(key) ?? [], statement));
  }
  return [...standing.values()].flatMap((all) => all.slice(-1));
}

/** What was said of a pair, the last one at the end: what is taken back lets hold what was said before. */
function withNext(all: readonly Statement[], next: Statement): Statement[] {
  if (next.isTakingBack) return all.slice(0, -1);
  return all.at(-1)?.isSame === next.isSame ? [...all] : [...all, next];
}

function statementOf(
  subject: string,
  { data }: RecordedChange,
  current: ReadonlyMap<string, string>,
): Statement | null {
  if (data.get('by') !== '"person"') return null;
  const other = data.get('with') ?? data.get('from') ?? data.get('withdrawn');
  if (other === undefined) return null;
  const live = (id: string) => current.get(idToUuid('evt', id) ?? '');
  const [one, partner] = [live(subject), live(other.slice(1, -1))];
  if (one === undefined || partner === undefined || one === partner) return null;
  return { pair: [one, partner], isSame: data.has('with'), isTakingBack: data.has('withdrawn') };
}

/** Pairs of reports with links of people that are of different decisions, or opposite. */
async function readContradicted(ledger: LedgerReader, reports: readonly Report[]): Promise<Pair[]> {
  const all = await readLinksOfEvents(
    ledger,
    reports.map(({ id }) => id),
  );
  const links = all.filter(isHuman);
  const amounts = new Map(reports.map(({ id, amount }) => [id, amount]));
  return links.flatMap((one, at) =>
    links.slice(at + 1).flatMap((other): Pair[] => {
      if (one.event_id === other.event_id) return [];
      const isContrary =
        one.decision_id !== other.decision_id ||
        areOpposite(one, other, amounts.get(one.event_id) ?? '0');
      return isContrary ? [[one.event_id, other.event_id]] : [];
    }),
  );
}
