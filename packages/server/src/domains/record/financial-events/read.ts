import { notFound } from '@decision-ledger/contract/errors';
import type { FinancialEventQuery } from '@decision-ledger/contract/financial-event';
import type { Queryable } from '../../../platform/database.js';
import { idToUuid } from '../../../platform/ids.js';
import type { PageRows } from '../../../platform/page.js';
import type { Scope } from '../../../platform/scope.js';
import { readFilter } from './rules/filter.js';
import {
  type EventRow,
  type PagePosition,
  selectEvent,
  selectPage,
} from './store/financial-events.js';

/**
 * An event, deleted or not.
 * @throws LedgerError `not_found`
 */
export async function readEvent(db: Queryable, scope: Scope, id: string): Promise<EventRow> {
  const uuid = idToUuid('evt', id);
  const row = uuid === null ? null : await selectEvent(db, scope, uuid);
  if (row === null) throw notFound('financial event');
  return row;
}

/**
 * Events of a ledger, newest first.
 * @throws LedgerError `validation_error` for an invalid range
 */
export async function listEvents(
  db: Queryable,
  scope: Scope,
  query: FinancialEventQuery,
  after: PagePosition | null,
  limit: number,
): Promise<PageRows<EventRow>> {
  return selectPage(db, scope, readFilter(query), after, limit);
}
