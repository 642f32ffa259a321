import type { TSchema } from 'typebox';
import { ConnectionState, ConnectionStates } from './accounting.js';
import { Activity, ActivityPage } from './activity.js';
import { Alert } from './alert.js';
import { AgentPage, ExposureAnalysis, Pnl, Timeline } from './analytics.js';
import { MonthPage } from './analytics-months.js';
import { AttributionQuality } from './analytics-quality.js';
import { PnlRows } from './analytics-rows.js';
import { AttributionModel } from './attribution-model.js';
import {
  ActivityChainVerification,
  DecisionChainVerification,
  LastVerifications,
} from './chain.js';
import {
  BatchDecision,
  BatchedReceipt,
  Decision,
  DecisionBatchBody,
  DecisionBatchReceipt,
  DecisionBody,
  DecisionPage,
  DecisionReceipt,
} from './decision.js';
import { DecisionInDetail } from './decision-view.js';
import { ReviewPreview, SettingsPreview } from './dry-run.js';
import { Meta } from './envelope.js';
import { Erasure, ErasureBody } from './erasure.js';
import { ExperimentAnalysis, ExperimentPage } from './experiment.js';
import { Export, ExportBody, ExportPage } from './export.js';
import { ExposureRows } from './exposure-rows.js';
import { FinancialEvent, FinancialEventBody, FinancialEventPage } from './financial-event.js';
import { Follower, FollowerDue, FollowerFailure, FollowerList, FollowerLog } from './follower.js';
import { DeadJob, DeadJobPage, RetriedJob } from './job.js';
import { IssuedKey, Key, KeyBody, KeyPage } from './key.js';
import {
  Liability,
  LiabilityBacktest,
  LiabilityHistory,
  LiabilityModelFigures,
} from './liability.js';
import {
  Link,
  LinkBody,
  LinkConfirmation,
  LinkInDetail,
  LinkPage,
  LinkRejection,
  LinkScore,
  MadeLink,
  ReviewedLink,
} from './link.js';
import { Me } from './me.js';
import { OtlpStatus, OtlpTraceAnswer, OtlpTraceRequest } from './otlp.js';
import { DecisionPresentation, PresentationBody } from './presentation.js';
import {
  GivenAnswer,
  GivenAnswerPage,
  Review,
  ReviewAnswer,
  ReviewBody,
  ReviewPage,
} from './review.js';
import { SearchHit, SearchPage } from './search.js';
import { Health, Version } from './service.js';
import { OpenedSession, Session, SessionBody, SessionPage } from './session.js';
import { SettingsAnswer, SettingsChange, SettingsPatch } from './settings-forms.js';
import { SigningKey, SigningKeyPage } from './signing-key.js';
import { StreamTicket } from './stream.js';
import { Consistency, DecisionProof, Log } from './transparency.js';
import { WebhookReceipt } from './webhook.js';

/** The schemas that the OpenAPI description names. Generated clients use these names for their types. */
export const NAMED_SCHEMAS = {
  Activity,
  ActivityChainVerification,
  ActivityPage,
  AgentPage,
  Alert,
  AttributionModel,
  AttributionQuality,
  BatchDecision,
  BatchedReceipt,
  ConnectionState,
  ConnectionStates,
  Consistency,
  DeadJob,
  DeadJobPage,
  Decision,
  DecisionBatchBody,
  DecisionBatchReceipt,
  DecisionBody,
  DecisionChainVerification,
  DecisionInDetail,
  DecisionPage,
  DecisionPresentation,
  DecisionProof,
  DecisionReceipt,
  Erasure,
  ErasureBody,
  ExperimentAnalysis,
  ExperimentPage,
  Export,
  ExportBody,
  ExportPage,
  ExposureAnalysis,
  ExposureRows,
  FinancialEvent,
  FinancialEventBody,
  FinancialEventPage,
  Follower,
  FollowerDue,
  FollowerFailure,
  FollowerList,
  FollowerLog,
  GivenAnswer,
  GivenAnswerPage,
  Health,
  IssuedKey,
  Key,
  KeyBody,
  KeyPage,
  LastVerifications,
  Liability,
  LiabilityBacktest,
  LiabilityHistory,
  LiabilityModel: LiabilityModelFigures,
  Link,
  LinkBody,
  LinkConfirmation,
  LinkInDetail,
  LinkPage,
  LinkRejection,
  LinkScore,
  Log,
  MadeLink,
  Meta,
  Me,
  MonthPage,
  OpenedSession,
  OtlpStatus,
  OtlpTraceAnswer,
  OtlpTraceRequest,
  Pnl,
  PnlRows,
  PresentationBody,
  RetriedJob,
  Review,
  ReviewAnswer,
  ReviewBody,
  ReviewedLink,
  ReviewPage,
  ReviewPreview,
  SearchHit,
  SearchPage,
  Session,
  SessionBody,
  SessionPage,
  Settings: SettingsAnswer,
  SettingsChange,
  SettingsPatch,
  SettingsPreview,
  SigningKey,
  SigningKeyPage,
  StreamTicket,
  Timeline,
  Version,
  WebhookReceipt,
} as const satisfies Readonly<Record<string, TSchema>>;
