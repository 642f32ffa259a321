import {
  MAX_TIMELINE_ROWS,
  type Timeline,
  type TimelineQuery,
} from '@decision-ledger/contract/analytics';
import { invalidField } from '@decision-ledger/contract/errors';
import { formatTimestamp } from '@decision-ledger/contract/time';
import type { Scope } from '../../../platform/scope.js';
import { type ReadTools, readConsistent } from './consistent.js';
import { readConversion, readRounding } from './conversion.js';
import { readFilter } from './rules/filter.js';
import { describeRow, joinRows } from './rules/rows.js';
import { sumDecided } from './store/exposure.js';
import { sumMoney } from './store/link-allocations.js';

const COLUMN = { agent: 'agent_id', action_type: 'action_type' } as const;

/**
 * Decisions and money by time.
 * @throws LedgerError `validation_error` for a range that is invalid or has too many rows
 */
export async function readTimeline(
  tools: ReadTools,
  scope: Scope,
  query: TimelineQuery,
): Promise<Timeline> {
  const filter = readFilter(query);
  const { bucket = 'day', group_by = null } = query;
  const by = group_by === null ? null : COLUMN[group_by];
  const limit = MAX_TIMELINE_ROWS + 1;
  const { state, result } = await readConsistent(tools, scope, async (db) => {
    const conversion = await readConversion(db, scope);
    const [decided, moved, rounding] = await Promise.all([
      sumDecided(db, scope, filter, bucket, by, limit),
      sumMoney(db, scope, filter, conversion, { bucket, by, agentIds: null, limit }),
      readRounding(db, scope, conversion),
    ]);
    return { currency: conversion.base, rows: joinRows(decided, moved), rounding };
  });
  const { currency, rows, rounding } = result;
  if (rows.length > MAX_TIMELINE_ROWS) throw tooMany();
  const timeline = rows.map(({ place, decided: own, moved: money }) => ({
    start: formatTimestamp(place.start ?? 0),
    key: place.key,
    ...describeRow(own, money, rounding),
  }));
  const { as_of, activity_seq } = state;
  return { currency, as_of, activity_seq, bucket, group_by, timeline };
}

function tooMany(): Error {
  return invalidField(
    'bucket',
    `gives more than ${MAX_TIMELINE_ROWS} rows: use a longer bucket, a shorter range, a filter, ` +
      'or no group_by',
  );
}
