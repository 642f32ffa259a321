import {
  ExperimentAnalysis,
  ExperimentListQuery,
  ExperimentPage,
  ExperimentQuery,
} from '@decision-ledger/contract/experiment';
import { IdParams } from '@decision-ledger/contract/shared';
import { type EndpointTools, list, read } from '../../../http/endpoints.js';
import { byText } from '../../../http/paging.js';
import type { Http } from '../../../http/types.js';
import type { Clock } from '../../../platform/clock.js';
import { countUnreadable, experimentReader, listExperiments } from './read.js';
import { EXPERIMENT_TABLES } from './tables.js';

export interface ExperimentRouteTools extends EndpointTools {
  readonly clock: Clock;
}

export function experimentRoutes(app: Http, tools: ExperimentRouteTools): void {
  const analyse = experimentReader(tools.clock);
  list(app, tools, {
    path: '/analytics/experiments',
    tag: 'analytics',
    operationId: 'listExperiments',
    summary: 'List experiments',
    query: ExperimentListQuery,
    data: ExperimentPage,
    table: EXPERIMENT_TABLES.list,
    key: byText,
    fetch: ({ ledger }, slice) => listExperiments(ledger, slice),
    keyOf: ({ experiment_id }) => experiment_id,
    show: async ({ items, next_cursor }, { ledger }) => ({
      experiments: items,
      unreadable: await countUnreadable(ledger),
      next_cursor,
    }),
  });
  read(app, tools, {
    path: '/analytics/experiments/:id',
    tag: 'analytics',
    operationId: 'getExperiment',
    summary: 'Compare the financial effect of the arms of an experiment',
    params: IdParams,
    query: ExperimentQuery,
    data: ExperimentAnalysis,
    table: EXPERIMENT_TABLES.analysis,
    answer: ({ ledger, params, query }) => analyse(ledger, params.id, query),
  });
}
