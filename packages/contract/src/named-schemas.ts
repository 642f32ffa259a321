import type { TSchema } from 'typebox';
import * as access from './access.js';
import * as accounting from './accounting.js';
import * as alert from './alert.js';
import * as analytics from './analytics.js';
import * as analyticsMonths from './analytics-months.js';
import * as analyticsQuality from './analytics-quality.js';
import * as analyticsRows from './analytics-rows.js';
import * as budget from './budget.js';
import * as chain from './chain.js';
import * as decision from './decision.js';
import * as decisionView from './decision-view.js';
import * as dryRun from './dry-run.js';
import * as erasure from './erasure.js';
import * as experiment from './experiment.js';
import * as explanation from './explanation.js';
import * as exports from './export.js';
import * as financialEvent from './financial-event.js';
import * as liability from './liability.js';
import * as link from './link.js';
import * as operations from './operations.js';
import * as otlp from './otlp.js';
import * as review from './review.js';
import * as runningCost from './running-cost.js';
import * as sameMoney from './same-money.js';
import * as search from './search.js';
import * as settingsForms from './settings-forms.js';
import * as shared from './shared.js';
import * as stream from './stream.js';
import * as transparency from './transparency.js';
import * as upload from './upload.js';
import * as webhook from './webhook.js';

/** The schemas that the OpenAPI description names. Generated clients use these names for their types. */
export const NAMED_SCHEMAS = {
  Activity: chain.Activity,
  ActivityChainVerification: chain.ActivityChainVerification,
  ActivityPage: chain.ActivityPage,
  AgentPage: analytics.AgentPage,
  Alert: alert.Alert,
  AttributionModel: analyticsQuality.AttributionModel,
  AttributionQuality: analyticsQuality.AttributionQuality,
  BatchDecision: decision.BatchDecision,
  BatchedReceipt: decision.BatchedReceipt,
  BudgetCheck: budget.BudgetCheck,
  BudgetStates: budget.BudgetStates,
  ConnectionState: accounting.ConnectionState,
  ConnectionStates: accounting.ConnectionStates,
  RefusedDecision: decision.RefusedDecision,
  PendingJobs: operations.PendingJobs,
  PlanRelease: accounting.PlanRelease,
  WithheldPlan: accounting.WithheldPlan,
  Consistency: transparency.Consistency,
  DeadJob: operations.DeadJob,
  DeadJobPage: operations.DeadJobPage,
  Decision: decision.Decision,
  DecisionBatchBody: decision.DecisionBatchBody,
  DecisionBatchReceipt: decision.DecisionBatchReceipt,
  DecisionBody: decision.DecisionBody,
  DecisionChainVerification: chain.DecisionChainVerification,
  DecisionInDetail: decisionView.DecisionInDetail,
  DecisionPage: decision.DecisionPage,
  DecisionPresentation: decisionView.DecisionPresentation,
  DecisionProof: transparency.DecisionProof,
  DecisionReceipt: decision.DecisionReceipt,
  Upload: upload.Upload,
  UploadBody: upload.UploadBody,
  Erasure: erasure.Erasure,
  ErasureBody: erasure.ErasureBody,
  ExperimentAnalysis: experiment.ExperimentAnalysis,
  ExperimentPage: experiment.ExperimentPage,
  Explanation: explanation.Explanation,
  Export: exports.Export,
  ExportBody: exports.ExportBody,
  ExportPage: exports.ExportPage,
  ExposureAnalysis: analytics.ExposureAnalysis,
  ExposureRows: analyticsRows.ExposureRows,
  FinancialEvent: financialEvent.FinancialEvent,
  FinancialEventBody: financialEvent.FinancialEventBody,
  FinancialEventPage: financialEvent.FinancialEventPage,
  Follower: operations.Follower,
  FollowerDue: operations.FollowerDue,
  FollowerFailure: operations.FollowerFailure,
  FollowerList: operations.FollowerList,
  FollowerLog: operations.FollowerLog,
  GivenAnswer: review.GivenAnswer,
  GivenAnswerPage: review.GivenAnswerPage,
  Health: operations.Health,
  IssuedKey: access.IssuedKey,
  Key: access.Key,
  KeyBody: access.KeyBody,
  KeyPage: access.KeyPage,
  LastVerifications: chain.LastVerifications,
  Liability: liability.Liability,
  LiabilityBacktest: liability.LiabilityBacktest,
  LiabilityHistory: liability.LiabilityHistory,
  LiabilityModel: liability.LiabilityModelFigures,
  Link: link.Link,
  LinkBody: link.LinkBody,
  LinkConfirmation: link.LinkConfirmation,
  LinkInDetail: link.LinkInDetail,
  LinkPage: link.LinkPage,
  LinkRejection: link.LinkRejection,
  LinkScore: link.LinkScore,
  Log: transparency.Log,
  MadeLink: link.MadeLink,
  Meta: shared.Meta,
  Me: access.Me,
  MonthPage: analyticsMonths.MonthPage,
  Movement: financialEvent.Movement,
  OpenedSession: access.OpenedSession,
  OtlpDroppedAnswer: otlp.OtlpDroppedAnswer,
  OtlpDroppedRequest: otlp.OtlpDroppedRequest,
  OtlpStatus: otlp.OtlpStatus,
  OtlpTraceAnswer: otlp.OtlpTraceAnswer,
  OtlpTraceRequest: otlp.OtlpTraceRequest,
  SpanAttribute: otlp.SpanAttribute,
  SpanGroup: otlp.SpanGroup,
  SpanGroups: otlp.SpanGroups,
  PairBody: financialEvent.PairBody,
  PairedMovement: financialEvent.PairedMovement,
  PairPreview: dryRun.PairPreview,
  PartBody: financialEvent.PartBody,
  Pnl: analytics.Pnl,
  PnlRows: analyticsRows.PnlRows,
  PresentationBody: decisionView.PresentationBody,
  RelatedEvent: financialEvent.RelatedEvent,
  ReportedEvent: financialEvent.ReportedEvent,
  RetriedJob: operations.RetriedJob,
  Review: review.Review,
  ReviewAnswer: review.ReviewAnswer,
  ReviewBody: review.ReviewBody,
  ReviewedLink: link.ReviewedLink,
  ReviewPage: review.ReviewPage,
  ReviewPreview: dryRun.ReviewPreview,
  RunningCosts: runningCost.RunningCosts,
  SameMoneyPage: sameMoney.SameMoneyPage,
  SearchHit: search.SearchHit,
  SearchPage: search.SearchPage,
  Session: access.Session,
  SessionBody: access.SessionBody,
  SessionPage: access.SessionPage,
  Settings: settingsForms.SettingsAnswer,
  SettingsChange: settingsForms.SettingsChange,
  SettingsPatch: settingsForms.SettingsPatch,
  SettingsPreview: dryRun.SettingsPreview,
  SigningKey: exports.SigningKey,
  SigningKeyPage: exports.SigningKeyPage,
  StreamTicket: stream.StreamTicket,
  Timeline: analytics.Timeline,
  Version: operations.Version,
  WebhookReceipt: webhook.WebhookReceipt,
} as const satisfies Readonly<Record<string, TSchema>>;
