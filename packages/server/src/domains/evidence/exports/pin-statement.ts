import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { minorUnits } from '@decision-ledger/contract/currency';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { RECORD_SEPARATOR, statementFrame } from '@decision-ledger/proof/bundle/frame';
import type { ChainPoint } from '@decision-ledger/proof/bundle/manifest';
import { type ChainName, readChain } from '../../../platform/chain/head.js';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import {
  decisionsOfStatement,
  moneyOfStatement,
  readStatement,
  type StatementFigures,
  type StatementOf,
} from '../../answers/analytics/index.js';
import { storeEstimates } from '../../judgement/liability/index.js';
import type { Pin } from './export-run.js';
import { type DecisionPlace, selectLastOfType, selectPlaces } from './store/chains.js';
import { selectExtent } from './store/decisions.js';

/** The file in the work folder that statement.json is copied from. */
export const PINNED = 'statement.pinned';

/**
 * Reads the figures of a statement and their rows in one snapshot of the database, whatever happens to
 * the ledger in the meantime, and writes them to the work folder. The run of decisions covers the range,
 * and earlier decisions with a share of its money.
 */
export const pinStatement: Pin = async ({ ledger, version, signal, row, folder }) => {
  const { agent_id, range_start: start, range_end: end } = row;
  if (agent_id === null) throw new Error('a statement names no agent');
  const of = { agentId: agent_id, start, end };
  await storeEstimates(ledger, signal);
  return ledger.read(async (snapshot) => {
    const figures = await readStatement(snapshot, of);
    const chains = {
      decisions: await pointOf(snapshot, 'decisions'),
      activity: await pointOf(snapshot, 'activity'),
    };
    const parameters = {
      settings: await selectLastOfType(snapshot, 'settings.changed'),
      attribution: await selectLastOfType(snapshot, 'attribution.model_changed'),
    };
    const about = { of, ledger: uuidToId('led', ledger.ledgerId), version, chains, parameters };
    const frame = statementFrame(statementAbout(about, figures));
    const file = await open(join(folder.path, PINNED), 'w', 0o600);
    try {
      await file.appendFile(frame.head);
      const run = await writeRows(file, linesOf(snapshot, of, figures), of, signal);
      await file.appendFile(`\n${frame.tail}\n`);
      await file.datasync();
      const extent = await selectExtent(snapshot, run);
      const { decisions } = figures.exposure.totals;
      return { ...extent, start, end, decisions };
    } finally {
      await file.close();
    }
  });
};

interface Line {
  readonly text: string;
  readonly place: DecisionPlace;
}

async function* linesOf(
  snapshot: LedgerReader,
  of: StatementOf,
  { conversion, known }: Awaited<ReturnType<typeof readStatement>>,
): AsyncGenerator<readonly Line[]> {
  for await (const rows of moneyOfStatement(snapshot, of, conversion)) {
    yield await placed(snapshot, rows, moneyLine);
  }
  for await (const rows of decisionsOfStatement(snapshot, of, known)) {
    yield await placed(snapshot, rows, decisionRowLine);
  }
}

async function placed<Row extends { readonly decision_id: string | null }>(
  snapshot: LedgerReader,
  rows: readonly Row[],
  line: (row: Row, place: DecisionPlace) => string,
): Promise<Line[]> {
  const ids = rows.flatMap(({ decision_id }) => decision_id ?? []);
  const places = await selectPlaces(snapshot, ids);
  return rows.map((row) => {
    const place = places.get(row.decision_id ?? '');
    if (place === undefined) throw new Error('a row of a statement has no decision');
    return { text: line(row, place), place };
  });
}

/** @returns the range of time of all decisions that the rows name, and of the statement */
async function writeRows(
  file: FileHandle,
  pages: AsyncIterable<readonly Line[]>,
  { start, end }: StatementOf,
  signal: AbortSignal,
): Promise<{ readonly start: number; readonly end: number }> {
  const run = { start, end };
  let between = '';
  for await (const page of pages) {
    signal.throwIfAborted();
    for (const { place } of page) {
      run.start = Math.min(run.start, place.timestamp);
      run.end = Math.max(run.end, place.timestamp + 1);
    }
    const text = page.map((line) => `\n${line.text}`).join(RECORD_SEPARATOR);
    await file.appendFile(between + text);
    between = RECORD_SEPARATOR;
  }
  return run;
}

async function pointOf(snapshot: LedgerReader, chain: ChainName) {
  const head = await readChain(snapshot, chain);
  return head === null || head.seq === 0 ? null : { seq: head.seq, hash: head.hash };
}

/** What a statement is about, besides its figures. */
export interface StatementAbout {
  readonly of: StatementOf;
  readonly ledger: string;
  /** Version of the service. */
  readonly version: string;
  readonly chains: { readonly decisions: ChainPoint | null; readonly activity: ChainPoint | null };
  /** Places in the chain of activity that fixed what the figures depend on; null if none did. */
  readonly parameters: { readonly settings: number | null; readonly attribution: number | null };
}

/** The members of statement.json before its rows. */
function statementAbout(
  { of, ledger, version, chains, parameters }: StatementAbout,
  { state, conversion, money, exposure, model }: StatementFigures,
): object {
  const { confirmed, matched, guessed, expected, confidence_interval, by_currency } = money;
  const { aggregate, totals } = exposure;
  const used = new Set(by_currency.map(({ currency }) => currency));
  return {
    format: 'decision-ledger/statement/v1',
    description:
      'The figures of one agent, and the rows that they are the sums of, one a line: the parts of ' +
      'events by time of the event, then the decisions by time.',
    ledger,
    agent_id: of.agentId,
    range: { start: formatTimestamp(of.start), end: formatTimestamp(of.end) },
    as_of: state.as_of,
    chains,
    currency: money.currency,
    digits: minorUnits(money.currency),
    figures: {
      confirmed,
      matched,
      guessed,
      expected,
      interval: confidence_interval,
      exposure: {
        expected: aggregate.expected,
        p50: aggregate.p50,
        var95: aggregate.var95,
        realised: aggregate.realised,
        decisions: totals.decisions,
      },
      by_currency: by_currency.map(({ unattributed: _none, total: _all, ...amounts }) => ({
        ...amounts,
        digits: minorUnits(amounts.currency),
      })),
    },
    exchange_rates: conversion.rates.filter(
      ({ from, to }) => to === conversion.base && used.has(from),
    ),
    versions: {
      service: version,
      liability: model,
      settings_seq: parameters.settings,
      attribution_seq: parameters.attribution,
    },
  };
}

/** A row of linked money: UUIDs, ms and decimal text. */
interface MoneyRow {
  readonly event_id: string;
  readonly timestamp: number;
  readonly currency: string;
  readonly event_amount: string;
  readonly counted_amount: string;
  readonly link_id: string | null;
  readonly decision_id: string | null;
  readonly label: string;
  readonly link_type: string | null;
  readonly share: string;
  readonly amount: string;
  readonly rate: string | null;
  readonly converted_amount: string | null;
}

/** The part of an event that a link takes, as one line of statement.json. */
function moneyLine(row: MoneyRow, { seq, hash }: DecisionPlace): string {
  return JSON.stringify({
    row: 'money',
    financial_event_id: uuidToId('evt', row.event_id),
    timestamp: formatTimestamp(row.timestamp),
    currency: row.currency,
    event_amount: row.event_amount,
    counted_amount: row.counted_amount,
    link_id: row.link_id === null ? null : uuidToId('lnk', row.link_id),
    link_type: row.link_type,
    label: row.label,
    share: row.share,
    amount: row.amount,
    rate: row.rate,
    converted_amount: row.converted_amount,
    decision_id: row.decision_id === null ? null : uuidToId('dec', row.decision_id),
    seq,
    hash,
  });
}

/** A decision with its estimate: UUID, ms and decimal text. */
interface EstimateRow {
  readonly decision_id: string;
  readonly timestamp: number;
  readonly action_type: string;
  readonly exposure: string | null;
  readonly low: string | null;
  readonly high: string | null;
  readonly realised: string | null;
}

/** A decision, as one line of statement.json. */
function decisionRowLine(row: EstimateRow, { seq, hash }: DecisionPlace): string {
  const { decision_id, timestamp, action_type, exposure, low, high, realised } = row;
  return JSON.stringify({
    row: 'decision',
    decision_id: uuidToId('dec', decision_id),
    timestamp: formatTimestamp(timestamp),
    action_type,
    exposure,
    low,
    high,
    realised,
    seq,
    hash,
  });
}
