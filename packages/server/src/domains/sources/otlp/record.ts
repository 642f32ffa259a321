import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DecisionBody } from '@decision-ledger/contract/decision';
import { type ErrorCode, LedgerError } from '@decision-ledger/contract/errors';
import { UPLOAD_MEMBER } from '@decision-ledger/proof/upload';
import type { Database } from '../../../platform/database.js';
import { findFirstAnswers, type IdempotencyMark } from '../../../platform/idempotency.js';
import type { Ledger } from '../../../platform/ledger.js';
import type { Scope } from '../../../platform/principal.js';
import { type AppendTools, appendDecisions } from '../../record/decisions/index.js';
import {
  type CreateTools,
  keepUpload,
  resolveUploads,
  type UploadClaim,
} from '../../record/uploads/index.js';
import type { SpanDecision } from './rules/decide.js';
import { withoutLarge } from './rules/large.js';
import type { Refused } from './rules/span.js';
import type { Arrival } from './rules/span-groups.js';

/** A decision, with what its span was counted as. */
export interface ArrivedDecision extends SpanDecision {
  readonly arrival: Arrival;
}

/** A decision that the ledger did not accept. */
export interface RefusedDecision {
  readonly arrival: Arrival;
  readonly problem: string;
  readonly reason: Refused;
}

/** How many of the decisions of a request the rate limit admits. */
export interface DecisionAdmission {
  readonly admitted: number;
  /** Headers of a refusal. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface RecordTools extends AppendTools, CreateTools {
  readonly db: Database;
  readonly charge: (scope: Scope, decisions: number) => Promise<DecisionAdmission>;
  /** The mark of a decision under its key, given its canonical body. */
  readonly markSpan: (key: string, canonical: string) => IdempotencyMark;
}

/** Decisions that are recorded in one transaction. */
const CHUNK = 500;

/**
 * Records decisions, each once. If the rate limit does not admit all of them, those that it admits are
 * recorded, so that the exporter makes progress when it sends the request again.
 * @throws LedgerError `rate_limited`, `unavailable`
 */
export async function recordDecisions(
  ledger: Ledger,
  tools: RecordTools,
  decisions: readonly ArrivedDecision[],
): Promise<RefusedDecision[]> {
  const { admitted, headers } = await tools.charge(ledger.scope, decisions.length);
  const isLarge = decisions.some(({ large }) => large.length > 0);
  if (admitted === decisions.length && !isLarge) return appendAll(ledger, tools, decisions);
  const fresh = await withoutRecorded(ledger, tools, decisions);
  const refused = await appendAll(ledger, tools, fresh.slice(0, admitted));
  if (fresh.length <= admitted) return refused;
  throw new LedgerError(
    'rate_limited',
    `${fresh.length - admitted} spans exceed the rate limit: send the same request again, or raise ` +
      'rate_limits.ingest_per_second',
    { headers },
  );
}

/**
 * Decisions that were recorded before cost nothing: the same request is sent until all are, and nothing is uploaded
 * twice.
 */
async function withoutRecorded(
  ledger: Ledger,
  { markSpan }: RecordTools,
  decisions: readonly ArrivedDecision[],
): Promise<ArrivedDecision[]> {
  const keys = decisions.map(({ key }) => markSpan(key, '').key);
  const recorded = await findFirstAnswers(ledger, keys);
  return decisions.filter((_, index) => !recorded.has(keys[index] ?? ''));
}

async function appendAll(
  ledger: Ledger,
  tools: RecordTools,
  decisions: readonly ArrivedDecision[],
): Promise<RefusedDecision[]> {
  const refused: RefusedDecision[] = [];
  for (let start = 0; start < decisions.length; start += CHUNK) {
    refused.push(...(await appendChunk(ledger, tools, decisions.slice(start, start + CHUNK))));
    await nextTurn();
  }
  return refused;
}

async function appendChunk(
  ledger: Ledger,
  tools: RecordTools,
  chunk: readonly ArrivedDecision[],
): Promise<RefusedDecision[]> {
  const fitted: Fitted[] = [];
  for (const decision of chunk) fitted.push(await withUploads(ledger, tools, decision));
  const { refused = [] } = await appendDecisions(tools, ledger.scope, {
    bodies: fitted.map(({ body }) => body),
    claims: fitted.map(({ claims }) => claims),
    withLiability: false,
    path: () => '',
    idempotency: null,
    memberMark: (at, canonical) => {
      const key = chunk[at]?.key;
      return key === undefined ? null : { ...tools.markSpan(key, canonical()), text: key };
    },
    lenient: { refused: [] },
  });
  return refused.flatMap(({ index, error }) => {
    const decision = chunk[index];
    return decision === undefined ? [] : [refusalOf(decision, error)];
  });
}

interface Fitted {
  readonly body: DecisionBody;
  readonly claims: readonly UploadClaim[];
}

const NO_CLAIMS: readonly UploadClaim[] = [];

/** The decision with uploads in the place of what is too large for it. */
async function withUploads(
  ledger: Ledger,
  tools: RecordTools,
  { body, large }: SpanDecision,
): Promise<Fitted> {
  if (large.length === 0) return { body, claims: NO_CLAIMS };
  const { max_upload_bytes } = (await tools.settings.get(ledger.scope)).recording;
  let fitted = body;
  for (const one of large) {
    const { field, bytes, mediaType } = one;
    if (bytes.length > max_upload_bytes) {
      fitted = withoutLarge(fitted, one);
    } else {
      const id = await keepUpload(ledger, tools, bytes, mediaType);
      fitted = { ...fitted, [field]: { [UPLOAD_MEMBER]: id } };
    }
  }
  const [resolved] = await resolveUploads(ledger, [fitted], () => '');
  if (resolved === undefined || resolved instanceof LedgerError) throw resolved;
  return resolved;
}

function refusalOf(
  { body, arrival }: ArrivedDecision,
  { code, message, details }: LedgerError,
): RefusedDecision {
  const fields = Object.entries(details?.fields ?? {});
  const named = fields.map(([field, problems]) => `${field} ${problems.join(', ')}`).join('; ');
  const problem = code === 'idempotency_conflict' ? RECORDED_BEFORE : named || message;
  return {
    arrival,
    problem: `span ${String(body.metadata?.span_id)}: ${problem}`,
    reason: REASONS[code] ?? 'not_accepted',
  };
}

const REASONS: { readonly [code in ErrorCode]?: Refused } = {
  idempotency_conflict: 'recorded_before',
  too_late: 'too_late',
};

const RECORDED_BEFORE =
  'it was already recorded with different content or a different mapping version; that record stays';
