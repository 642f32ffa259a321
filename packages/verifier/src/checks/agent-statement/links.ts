import type { RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import { type StatedReport, untaxedAmount } from '@decision-ledger/proof/movement';
import { replayEvent } from '@decision-ledger/proof/replay/events';
import type { RecordState } from '@decision-ledger/proof/replay/state';
import type { Findings } from '../../report/findings.js';
import {
  type ActivityFacts,
  type Change,
  type History,
  timeOf,
  unpackAll,
} from '../activity-facts.js';
import { isInRange } from '../entries.js';
import { LinkHistories } from '../histories.js';
import { checkInheritance } from '../inheritance.js';
import { labelOf } from '../movement-links.js';
import { Movements } from '../movements.js';
import { checkWithheldLinks } from '../withheld-links.js';
import {
  absolute,
  add,
  compare,
  type Decimal,
  negate,
  parseDecimal,
  times,
  ZERO,
} from './decimal.js';
import type { Label, MoneyRow } from './document.js';
import type { StatementEntries } from './entries.js';
import type { StatementFile } from './statement-file.js';

interface Bundle {
  readonly manifest: RecordsManifest;
  readonly activity: ActivityFacts;
  readonly findings: Findings;
}

/** A link as it was when the statement was made. */
interface Link {
  readonly id: string;
  readonly decisionId: string;
  /** The report that leads the movement of its event. */
  readonly eventId: string;
  readonly type: string;
  readonly label: Label;
  readonly strength: Decimal;
}

/** A share is recorded with 12 digits, and the largest part of an event takes what the others leave. */
const TOLERANCE: Decimal = { units: 1n, scale: 9 };
const ONE: Decimal = { units: 1n, scale: 0 };

/** Compares the rows of linked money with the chain of activity up to the place at which the export began. */
export function checkMoney(
  statement: StatementFile,
  { manifest, activity, findings }: Bundle,
  entries: StatementEntries,
): void {
  const { since: upTo } = manifest.activity;
  const movements = new Movements(activity, upTo);
  const links = readLinks(activity, movements, upTo);
  const totals = new Map<string, Decimal>();
  for (const { eventId, strength } of links.values()) {
    totals.set(eventId, add(totals.get(eventId) ?? ZERO, strength));
  }
  const rows = new Set(statement.money.map(({ linkId }) => linkId));
  const replayed = (id: string) =>
    stateOf(activity.events.get(id), upTo, (changes) => replayEvent(unpackAll(changes)));
  // Each is replayed once: a hostile bundle may repeat an event many thousands of times.
  const events = new Map<string, Led | null>();
  for (const row of statement.money) {
    const { eventId, linkId } = row;
    if (!events.has(eventId)) {
      const stating = movements.membersOf(eventId).filter((id) => activity.transactions.has(id));
      const reports = stating.flatMap((id) => reportOf(id, replayed(id), activity) ?? []);
      events.set(eventId, ledBy(replayed(eventId), reports));
      const problem = movements.problemOf(eventId);
      if (problem !== null) statement.fail('movement_differs', problem, { id: eventId });
    }
    checkEvent(statement, row, events.get(eventId) ?? null);
    checkLink(statement, row, links.get(linkId));
    checkShare(statement, row, links.get(linkId), totals.get(eventId) ?? ZERO);
  }
  for (const { id, eventId, decisionId } of links.values()) {
    const time = activity.events.get(eventId)?.when ?? null;
    const isDue = events.has(eventId) || (time !== null && isInRange(manifest, timeOf(time)));
    if (rows.has(id) || !isDue || !entries.isOfAgent(decisionId)) continue;
    const message = 'The link gives a decision of the agent a share of an event, but has no row.';
    entries.missing({ code: 'row_missing', file: 'statement.json', id, message });
  }
  const reports = new Set([...events.keys()].flatMap((lead) => movements.membersOf(lead)));
  const payments = checkInheritance({ manifest, activity, findings }, movements, reports);
  const due = new Set([...reports, ...payments]);
  checkWithheldLinks({ manifest, activity, findings }, due, activity.partners);
}

/** The links that were neither rejected nor deleted. Each counts for the report that leads the movement of its event. */
function readLinks(
  activity: ActivityFacts,
  movements: Movements,
  upTo: number,
): ReadonlyMap<string, Link> {
  const histories = new LinkHistories(activity.links);
  const links = new Map<string, Link>();
  for (const [id, history] of activity.links) {
    const state = stateOf(history, upTo, (changes) => histories.replay(changes));
    if (state === null || textOf(state, 'deleted_at') !== null) continue;
    const label = labelOf(state);
    const strength = parseDecimal(rawOf(state, 'correlation_strength') ?? '');
    if (label === null || strength === null) continue;
    const [decisionId, eventId, type] = [
      textOf(state, 'decision_id'),
      textOf(state, 'financial_event_id'),
      textOf(state, 'link_type'),
    ];
    if (decisionId === null || eventId === null || type === null) continue;
    links.set(id, {
      ...{ id, decisionId, type, label, strength },
      eventId: movements.leadOf(eventId),
    });
  }
  return links;
}

/** @returns null if nothing is disclosed up to that place, or something is withheld */
function stateOf(
  history: History | undefined,
  upTo: number,
  replay: (changes: readonly Change[]) => RecordState,
): RecordState | null {
  const changes = history?.changes.filter(({ seq }) => seq <= upTo) ?? [];
  if (changes.length === 0 || changes.some(({ isWithheld }) => isWithheld)) return null;
  return replay(changes);
}

/** An event that leads a movement. */
interface Led {
  readonly state: RecordState;
  readonly amount: Decimal | null;
  /** What it counts with if it counts, without sign: less the tax that the reports of its movement state. */
  readonly due: Decimal | null;
}

const amountOf = (state: RecordState) => textOf(state, 'amount') ?? rawOf(state, 'amount') ?? '';

/** @returns null if the state of the event is not disclosed */
function ledBy(state: RecordState | null, reports: readonly StatedReport[]): Led | null {
  if (state === null || rawOf(state, 'amount') === null) return null;
  const own = { amount: amountOf(state), currency: textOf(state, 'currency') ?? '' };
  const amount = parseDecimal(own.amount);
  const untaxed = parseDecimal(untaxedAmount(own, reports) ?? own.amount);
  return { state, amount, due: untaxed === null ? null : absolute(untaxed) };
}

/** A report that states a transaction. */
function reportOf(
  id: string,
  state: RecordState | null,
  { transactions }: ActivityFacts,
): StatedReport | null {
  if (state === null) return null;
  return {
    ...{ id, source: textOf(state, 'source') ?? '', external_id: textOf(state, 'external_id') },
    timestamp: Date.parse(textOf(state, 'timestamp') ?? ''),
    ...{ amount: amountOf(state), currency: textOf(state, 'currency') ?? '' },
    transaction: transactions.get(id) ?? null,
  };
}

function checkEvent(statement: StatementFile, row: MoneyRow, led: Led | null): void {
  const id = row.eventId;
  if (led === null) {
    statement.fail('row_event', 'The chain of activity discloses no such event.', { id });
    return;
  }
  const { state, amount, due } = led;
  if (rawOf(state, 'deleted_at') !== null) {
    statement.fail('row_event', 'The event was deleted before the statement was made.', { id });
  }
  const counted = absolute(row.counted);
  // Settings say whether money moved, and in which direction.
  if (due !== null && compare(counted, ZERO) !== 0 && compare(counted, due) !== 0) {
    const message =
      'The counted amount is not that of the event, less the tax that its movement states.';
    statement.fail('row_amount', message, { id: row.linkId });
  }
  const isSame =
    amount !== null &&
    compare(amount, row.eventAmount) === 0 &&
    textOf(state, 'currency') === row.currency &&
    Date.parse(textOf(state, 'timestamp') ?? '') === Date.parse(row.timestamp);
  if (isSame) return;
  const message = 'The amount, the currency or the time of the event is not the recorded one.';
  statement.fail('row_event', message, { id });
}

function checkLink(statement: StatementFile, row: MoneyRow, link: Link | undefined): void {
  const id = row.linkId;
  if (link === undefined) {
    const message = 'The chain of activity discloses no such link, or it was deleted or rejected.';
    statement.fail('row_link', message, { id });
    return;
  }
  const isSame =
    link.decisionId === row.decisionId &&
    link.eventId === row.eventId &&
    link.type === row.linkType &&
    link.label === row.label;
  if (isSame) return;
  const message =
    'The decision, the event, the type or the label of the link is not the recorded one.';
  statement.fail('row_link', message, { id });
}

/** Links share an event by their strengths, and at most the whole of it. */
function checkShare(
  statement: StatementFile,
  { linkId: id, share, amount, counted }: MoneyRow,
  link: Link | undefined,
  total: Decimal,
): void {
  if (link === undefined) return;
  const whole = compare(total, ONE) > 0 ? total : ONE;
  if (!isNear(times(share, whole), link.strength)) {
    const message = 'The share is not the one that the strengths of the links of the event make.';
    statement.fail('row_share', message, { id });
  }
  if (!isNear(amount, times(counted, share), absolute(counted))) {
    statement.fail('row_share', 'The amount is not the share of the counted amount.', { id });
  }
}

/** @param size of the amounts, if they are larger than 1 */
function isNear(a: Decimal, b: Decimal, size: Decimal = ONE): boolean {
  const limit = times(TOLERANCE, compare(size, ONE) > 0 ? size : ONE);
  return compare(absolute(add(a, negate(b))), limit) <= 0;
}

/** A member in the form of `brief`; null if it is absent or unknown. */
function rawOf(state: RecordState, name: string): string | null {
  const value = state.get(name);
  return typeof value === 'string' && value !== 'null' ? value : null;
}

/** The same, of a text. */
function textOf(state: RecordState, name: string): string | null {
  const raw = rawOf(state, name);
  return raw?.startsWith('"') === true ? raw.slice(1, -1) : null;
}
