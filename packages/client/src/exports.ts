// The public names of every build.

export type { LedgerStats } from './account.js';
export type { AgentSession } from './agent-session.js';
export type { DecisionReceipt } from './api/decision.js';
export type { CreateOptions } from './api.js';
export type { DecisionDraft, DecisionMade, DecisionStart } from './context.js';
export type { DecisionToRecord } from './encode.js';
export {
  type ApiErrorDetails,
  DecisionsLostError,
  type DeliveryReport,
  type ErrorCode,
  LedgerApiError,
  LedgerConnectionError,
  LedgerDisabledError,
  LedgerExportError,
  type LedgerProblem,
  type ProblemKind,
} from './errors.js';
export type { CallOptions, KeySource, RecordOptions } from './http.js';
export type { WaitUntilContext } from './ledger.js';
export type { Mask, MaskPath } from './mask.js';
export type { LedgerOptions } from './options.js';
export type { OutboxOptions } from './outbox.js';
export type { PagedList } from './paging.js';
export type { Timers } from './platform.js';
export type { Anchor } from './receipts.js';
export type { FlushOptions } from './recorder.js';
export type { DownloadedExport } from './resources/exports.js';
export type { Fetch, FetchRequest, FetchResponse } from './runtime.js';
