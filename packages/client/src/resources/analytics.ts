import type {
  AgentPage,
  AgentQuery,
  Pnl,
  PnlQuery,
  Timeline,
  TimelineQuery,
} from '../api/analytics.js';
import type { MonthPage, MonthQuery } from '../api/analytics-months.js';
import type { PnlRows, RowsQuery } from '../api/analytics-rows.js';
import type {
  AttributionModel,
  AttributionModelQuery,
  AttributionQuality,
  QualityQuery,
} from '../api/attribution.js';
import type { BudgetCheck, BudgetCheckQuery, BudgetStates } from '../api/budget.js';
import type {
  ExperimentAnalysis,
  ExperimentListQuery,
  ExperimentPage,
  ExperimentQuery,
} from '../api/experiment.js';
import type {
  ExposureAnalysis,
  ExposureQuery,
  ExposureRows,
  ExposureRowsQuery,
} from '../api/exposure.js';
import type {
  LiabilityBacktest,
  LiabilityModelFigures,
  LiabilityModelQuery,
} from '../api/liability-model.js';
import type { RunningCostQuery, RunningCosts } from '../api/running-cost.js';
import { type Api, segment } from '../api.js';
import type { CallOptions } from '../http.js';
import { type PagedList, pagedList } from '../paging.js';

/** Figures and analyses. */
export class Analytics {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** The profit and loss of the decisions. */
  pnl(query: PnlQuery = {}, options: CallOptions = {}): Promise<Pnl> {
    return this.#api.get('/analytics/ai-pnl', query, options);
  }

  /** The parts of events behind a figure. */
  pnlRows(
    query: RowsQuery = {},
    options: CallOptions = {},
  ): PagedList<PnlRows, PnlRows['rows'][number]> {
    return pagedList<PnlRows, 'rows'>(this.#api, '/analytics/ai-pnl/rows', 'rows', query, options);
  }

  /** Closed and open months. */
  months(
    query: MonthQuery = {},
    options: CallOptions = {},
  ): PagedList<MonthPage, MonthPage['months'][number]> {
    return pagedList<MonthPage, 'months'>(this.#api, '/analytics/months', 'months', query, options);
  }

  /** Figures by time. */
  timeline(query: TimelineQuery = {}, options: CallOptions = {}): Promise<Timeline> {
    return this.#api.get('/analytics/timeline', query, options);
  }

  /** The exposure of all decisions. */
  liability(query: ExposureQuery = {}, options: CallOptions = {}): Promise<ExposureAnalysis> {
    return this.#api.get('/analytics/liability', query, options);
  }

  /** The decisions behind an exposure. */
  liabilityRows(
    query: ExposureRowsQuery = {},
    options: CallOptions = {},
  ): PagedList<ExposureRows, ExposureRows['rows'][number]> {
    return pagedList<ExposureRows, 'rows'>(
      this.#api,
      '/analytics/liability/rows',
      'rows',
      query,
      options,
    );
  }

  /** How earlier estimates compare with what happened. */
  liabilityBacktest(options: CallOptions = {}): Promise<LiabilityBacktest> {
    return this.#api.get('/analytics/liability/backtest', {}, options);
  }

  /** The model behind the estimates. */
  liabilityModel(
    query: LiabilityModelQuery,
    options: CallOptions = {},
  ): Promise<LiabilityModelFigures> {
    return this.#api.get('/analytics/liability/model', query, options);
  }

  /** What decisions cost to make, beside their net money. */
  runningCost(query: RunningCostQuery = {}, options: CallOptions = {}): Promise<RunningCosts> {
    return this.#api.get('/analytics/running-cost', query, options);
  }

  /** The budgets of the settings, and how far each is used. */
  budgets(options: CallOptions = {}): Promise<BudgetStates> {
    return this.#api.get('/budgets', {}, options);
  }

  /** What is left of the budgets that an agent comes under. It answers, and blocks nothing. */
  checkBudgets(query: BudgetCheckQuery, options: CallOptions = {}): Promise<BudgetCheck> {
    return this.#api.get('/budgets/check', query, options);
  }

  /** Figures by agent. */
  agents(
    query: AgentQuery = {},
    options: CallOptions = {},
  ): PagedList<AgentPage, AgentPage['agents'][number]> {
    return pagedList<AgentPage, 'agents'>(this.#api, '/analytics/agents', 'agents', query, options);
  }

  /** How often suggested links are right, by audits. */
  attributionQuality(
    query: QualityQuery = {},
    options: CallOptions = {},
  ): Promise<AttributionQuality> {
    return this.#api.get('/analytics/attribution-quality', query, options);
  }

  /** The model that scores of suggested links name. */
  attributionModel(
    query: AttributionModelQuery = {},
    options: CallOptions = {},
  ): Promise<AttributionModel> {
    return this.#api.get('/analytics/attribution-model', query, options);
  }

  /** Experiments by identifier. */
  experiments(
    query: ExperimentListQuery = {},
    options: CallOptions = {},
  ): PagedList<ExperimentPage, ExperimentPage['experiments'][number]> {
    return pagedList<ExperimentPage, 'experiments'>(
      this.#api,
      '/analytics/experiments',
      'experiments',
      query,
      options,
    );
  }

  /** The comparison of the arms of an experiment. */
  experiment(
    id: string,
    query: ExperimentQuery = {},
    options: CallOptions = {},
  ): Promise<ExperimentAnalysis> {
    return this.#api.get(`/analytics/experiments/${segment(id)}`, query, options);
  }
}
