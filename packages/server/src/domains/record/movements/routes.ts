import { DryRunQuery } from '@decision-ledger/contract/dry-run';
import {
  Movement,
  PairBody,
  PairedMovement,
  PartBody,
} from '@decision-ledger/contract/financial-event';
import { SameMoneyPage, SameMoneyQuery } from '@decision-ledger/contract/same-money';
import { change, type EndpointTools, list } from '../../../http/endpoints.js';
import { byPlace } from '../../../http/paging.js';
import type { Http } from '../../../http/types.js';
import type { RecordHooks } from '../hooks/index.js';
import { listSameMoney, sumQueued } from './list.js';
import { pairReports, partReport, withdrawStatement } from './pair.js';
import { previewPair } from './preview.js';

export interface MovementRouteTools extends EndpointTools {
  readonly hooks: RecordHooks;
}

const REVIEW = { permission: 'review', bucket: 'ingest' } as const;
const tag = 'financial events';

export function movementRoutes(app: Http, tools: MovementRouteTools): void {
  const { hooks } = tools;
  list(app, tools, {
    path: '/movements/same-money',
    tag,
    operationId: 'listSameMoney',
    summary: 'List the financial events that may report the same money as others, newest first',
    query: SameMoneyQuery,
    data: SameMoneyPage,
    key: byPlace,
    fetch: ({ ledger }, slice) => listSameMoney(ledger, slice),
    keyOf: ({ place }) => place,
    show: async ({ items, next_cursor }, { ledger }) => ({
      reports: items.map(({ item }) => item),
      ...(await sumQueued(ledger)),
      next_cursor,
    }),
  });
  change(app, tools, {
    method: 'POST',
    path: '/movements/pair',
    config: { ...REVIEW, errors: ['not_found', 'conflict', 'invalid_state'] },
    tag,
    operationId: 'pairReports',
    summary: 'Say that a financial event reports the same money as others. It counts once',
    query: DryRunQuery,
    body: PairBody,
    data: PairedMovement,
    answer: ({ ledger, principal, query, body }) =>
      query.dry_run === true
        ? previewPair(ledger, hooks, principal, body)
        : ledger.write((tx) => pairReports(tx, hooks, principal, body)),
  });
  change(app, tools, {
    method: 'POST',
    path: '/movements/part',
    config: { ...REVIEW, errors: ['not_found', 'invalid_state'] },
    tag,
    operationId: 'partReport',
    summary:
      'Say that a financial event reports other money than another, or the rest of its movement',
    body: PartBody,
    data: Movement,
    answer: ({ ledger, principal, body }) =>
      ledger.write((tx) => partReport(tx, hooks, principal, body)),
  });
  change(app, tools, {
    method: 'POST',
    path: '/movements/withdraw',
    config: { ...REVIEW, errors: ['not_found', 'invalid_state'] },
    tag,
    operationId: 'withdrawSameMoney',
    summary: 'Take back what was said of financial events, whether they report the same money',
    body: PairBody,
    data: Movement,
    answer: ({ ledger, principal, body }) =>
      ledger.write((tx) => withdrawStatement(tx, hooks, principal, body)),
  });
}
