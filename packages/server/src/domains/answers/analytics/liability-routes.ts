import { ExposureAnalysis, ExposureQuery } from '@decision-ledger/contract/analytics';
import { success } from '@decision-ledger/contract/envelope';
import {
  LiabilityBacktest,
  LiabilityModelFigures,
  LiabilityModelQuery,
} from '@decision-ledger/contract/liability';
import { principalOf, type Wrap } from '../../../http/envelope.js';
import type { Http } from '../../../http/types.js';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import { readBacktest, readLiabilityModel } from '../../judgement/liability/index.js';
import { readExposure } from './exposure.js';
import { outlooks } from './outlooks.js';

export interface LiabilityRouteTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly wrap: Wrap;
}

const config = { permission: 'read', bucket: 'read' } as const;
const tags = ['analytics'];

export function liabilityRoutes(app: Http, { db, clock, wrap }: LiabilityRouteTools): void {
  const tools = { db, clock, outlooks: outlooks(clock) };
  app.get(
    '/analytics/liability',
    {
      config,
      schema: {
        tags,
        summary: 'What decisions could still cost: totals, action types and the largest exposures',
        querystring: ExposureQuery,
        response: { 200: success(ExposureAnalysis) },
      },
    },
    async (request) =>
      wrap(request, await readExposure(tools, principalOf(request).scope, request.query)),
  );
  app.get(
    '/analytics/liability/backtest',
    {
      config,
      schema: {
        tags,
        summary:
          'Monthly forecasts against realised losses, and the reliability of stated confidence',
        response: { 200: success(LiabilityBacktest) },
      },
    },
    async (request) =>
      wrap(request, await readBacktest(db, principalOf(request).scope, clock.now())),
  );
  app.get(
    '/analytics/liability/model',
    {
      config,
      schema: {
        tags,
        summary:
          'The settings and learned figures that the estimates of an action type follow from',
        querystring: LiabilityModelQuery,
        response: { 200: success(LiabilityModelFigures) },
      },
    },
    async (request) =>
      wrap(request, await readLiabilityModel(db, principalOf(request).scope, request.query)),
  );
}
