import {
  MAX_TIMELINE_ROWS,
  type Timeline,
  type TimelineQuery,
} from '@decision-ledger/contract/analytics';
import { invalidField } from '@decision-ledger/contract/errors';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { inTurns } from '../../../platform/in-turns.js';
import type { Ledger } from '../../../platform/ledger.js';
import { describeKnown, readConversion, readEstimated, readRounding } from './consistent.js';
import { isWhole, readAnalyticsFilter } from './rules/filter.js';
import { joinRows, printRows } from './rules/rows.js';
import { sumDecided } from './store/exposure.js';
import { sumEvents, sumMoney } from './store/link-allocations.js';

const COLUMN = { agent: 'agent_id', action_type: 'action_type' } as const;

/**
 * Decisions and money by time.
 * @throws LedgerError `validation_error` for a range that is invalid or has too many rows
 */
export async function readTimeline(ledger: Ledger, query: TimelineQuery): Promise<Timeline> {
  const filter = readAnalyticsFilter(query);
  const { bucket = 'day', group_by = null } = query;
  const by = group_by === null ? null : COLUMN[group_by];
  const limit = MAX_TIMELINE_ROWS + 1;
  const { state, known, result } = await readEstimated(ledger, async (reader, known) => {
    const conversion = await readConversion(reader);
    const [decided, moved, events, rounding] = await Promise.all([
      sumDecided(reader, filter, bucket, by, { known, limit }),
      sumMoney(reader, filter, conversion, { bucket, by, agentIds: null, limit }),
      isWhole(filter) ? sumEvents(reader, filter, conversion) : null,
      readRounding(reader, conversion),
    ]);
    const printing = { currency: conversion.base, events, bucket, ...rounding };
    return { rows: joinRows(decided, moved), printing };
  });
  const { rows, printing } = result;
  const { currency } = printing;
  if (rows.length > MAX_TIMELINE_ROWS) throw tooMany();
  const printed = await inTurns(printRows(rows, printing));
  const timeline = printed.map((figures, index) => ({
    start: formatTimestamp(rows[index]?.place.start ?? 0),
    key: rows[index]?.place.key ?? null,
    ...figures,
  }));
  const { as_of, activity_seq } = state;
  const shown = { currency, as_of, activity_seq, ...describeKnown(known) };
  return { ...shown, bucket, group_by, timeline };
}

function tooMany(): Error {
  return invalidField(
    'bucket',
    `gives more than ${MAX_TIMELINE_ROWS} rows: use a longer bucket, a shorter range, a filter, ` +
      'or no group_by',
  );
}
