import { unavailable } from '@decision-ledger/contract/errors';
import type { LedgerReader } from '../../../platform/ledger.js';
import type { Place } from '../../../platform/page.js';
import { readSettings } from '../../access/settings/index.js';
import {
  type KnownEstimates,
  newestEstimationModel,
  readKnownEstimates,
} from '../../judgement/liability/index.js';
import { readConversion, readState, type State } from './consistent.js';
import { type ExposureAggregate, readAggregate, requireEstimatesIn } from './exposure.js';
import { outlooks } from './outlooks.js';
import { sumAll } from './pnl.js';
import type { Filter } from './rules/filter.js';
import { buildPnl, type PnlOfMoney } from './rules/pnl.js';
import type { MoneySettings } from './store/conditions.js';
import { type EstimatedRow, selectEstimated } from './store/exposure.js';
import { type PartRow, type RowPosition, selectPartRows } from './store/select-rows.js';

/** The agent of a statement, and its range: ms, the end is exclusive. */
export interface StatementOf {
  readonly agentId: string;
  readonly start: number;
  readonly end: number;
}

/** The figures of a statement, as GET /analytics/ai-pnl and GET /analytics/liability answer them. */
export interface StatementFigures {
  readonly state: State;
  readonly conversion: MoneySettings;
  readonly money: PnlOfMoney;
  readonly exposure: ExposureAggregate;
  readonly known: KnownEstimates;
  /** The model of the exposure, and the snapshot of its parameters. */
  readonly model: { readonly version: string; readonly snapshot: number };
}

/**
 * The figures of one agent.
 * @param snapshot in which the rows are read too
 * @throws LedgerError `unavailable` while estimates are in several currencies
 */
export async function readStatement(
  snapshot: LedgerReader,
  of: StatementOf,
): Promise<StatementFigures> {
  const filter = filterOf(of);
  const state = await readState(snapshot);
  const conversion = await readConversion(snapshot);
  const sums = await sumAll(snapshot, filter, conversion, false);
  const model = await newestEstimationModel(snapshot, await readSettings(snapshot));
  const { currency, version, snapshotId } = model;
  const known = await readKnownEstimates(snapshot);
  if (known.pending > 0) throw unavailable('the estimates of many new decisions are being stored');
  await requireEstimatesIn(snapshot, currency);
  return {
    state,
    conversion,
    money: buildPnl(conversion.base, sums),
    exposure: await readAggregate(
      snapshot,
      { filter, known, model, now: snapshot.clock.now() },
      outlooks(snapshot.clock),
    ),
    known,
    model: { version, snapshot: snapshotId },
  };
}

const PAGE = 500;
const EVERY_LINK = {
  labels: null,
  linkType: null,
  hasUnlinked: false,
  line: null,
  isConverted: null,
};

/** The parts of events that the figures of money count, by time of the event, page by page. */
export async function* moneyOfStatement(
  snapshot: LedgerReader,
  of: StatementOf,
  conversion: MoneySettings,
): AsyncGenerator<readonly PartRow[]> {
  const anyone = { customer: undefined, currency: undefined, search: [] };
  const filter = { ...filterOf(of), ...anyone, parts: EVERY_LINK };
  for (let after: RowPosition | null = null; ; ) {
    const slice = { after, limit: PAGE };
    const rows: PartRow[] = await selectPartRows(snapshot, filter, conversion, slice);
    const last = rows.at(-1);
    if (last?.link_id == null) return;
    yield rows;
    after = { timestamp: last.timestamp, eventId: last.event_id, linkId: last.link_id };
  }
}

/** The decisions that the exposure counts, by time, page by page. */
export async function* decisionsOfStatement(
  snapshot: LedgerReader,
  of: StatementOf,
  known: KnownEstimates,
): AsyncGenerator<readonly EstimatedRow[]> {
  for (let after: Place | null = null; ; ) {
    const page = { after, limit: PAGE };
    const rows: EstimatedRow[] = await selectEstimated(snapshot, filterOf(of), known, page);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = { at: last.timestamp, id: last.decision_id };
  }
}

function filterOf({ agentId, start, end }: StatementOf): Filter {
  return { agentId, start, end, actionType: undefined };
}
