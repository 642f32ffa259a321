import { invalidField, LedgerError, notFound } from '@decision-ledger/contract/errors';
import type { ExportBody } from '@decision-ledger/contract/export';
import { formatTimestamp, readRange } from '@decision-ledger/contract/time';
import { BUNDLES, holdsRecords, type RangeBasis } from '@decision-ledger/proof/bundle/format';
import { Type } from 'typebox';
import { uuidToId } from '../../../platform/ids.js';
import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import type { Keyring } from '../../../platform/keyring/keyring.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import type { Actor } from '../../../platform/principal.js';
import type { Installation } from '../../../platform/statement.js';
import { ledgersOf } from '../../access/organisations/index.js';
import { readSettings } from '../../access/settings/index.js';
import { recordActivity } from '../../log/activity/index.js';
import { isAgent } from '../../record/decisions/index.js';
import { requireSigner, SigningKeyError } from '../signing-keys/index.js';
import { LARGE, notifyStatus } from './describe.js';
import { commitToFilter, committedFilter } from './selection.js';
import { selectIsLarge } from './store/decisions.js';
import {
  type ExportRow,
  insertExport,
  lockOrganisation,
  selectExport,
  selectUsage,
  type Usage,
} from './store/exports.js';

const EXPORT_JOBS = {
  data: Type.Object({ export_id: Type.String() }),
  once: 'key',
  inTurn: true,
  retries: 20,
  firstDelay: 5,
  longestDelay: 60,
  timeout: 21_600,
} as const;

/** Makes an export. A retry continues where the previous attempt stopped. */
export const EXPORTS = { name: 'exports', ...EXPORT_JOBS, lanes: 2 } as const;

/** Makes an export that takes long, so that others need not wait for it. */
export const LONG_EXPORTS = { name: 'long-exports', ...EXPORT_JOBS } as const;

export const EXPORT_QUEUES = [EXPORTS, LONG_EXPORTS] as const;

export interface ExportRequestTools {
  readonly installation: Installation;
  readonly jobs: JobQueue;
  readonly keyring: Keyring;
}

/**
 * Queues an export for a worker. It counts against the organisation's allowance unless it fails.
 * @param onAllowance called with the remaining allowance, also if the request is refused
 * @throws LedgerError `validation_error`, `not_found` for an agent, `rate_limited`, `unavailable` if the signing key cannot be used
 */
export async function requestExport(
  tx: LedgerWriter,
  tools: ExportRequestTools,
  { actor }: Actor,
  body: ExportBody,
  onAllowance: (allowance: Allowance) => void,
): Promise<ExportRow> {
  const range = readExportRange(body);
  const basis = readBasis(body);
  const agentId = await readAgent(tx, body);
  const stored = commitToFilter(tx.random, body);
  const now = tx.clock.now();
  await refuseUnsigned(tx, tools);
  const installation = tools.installation.within(tx.connection);
  await takeAllowance(tx, { installation, now, onAllowance });
  const exportId = tx.ids.uuid();
  const isLarge = await selectIsLarge(tx, range, LARGE);
  await insertExport(tx, {
    export_id: exportId,
    export_type: body.export_type,
    agent_id: agentId,
    ...stored,
    range_start: range.start,
    range_end: range.end,
    range_basis: basis,
    requested_by: actor,
    created_at: now,
    is_large: isLarge,
  });
  const id = uuidToId('exp', exportId);
  await tools.jobs.send(tx, isLarge ? LONG_EXPORTS : EXPORTS, { export_id: id }, id);
  await recordActivity(tx, {
    type: 'export.requested',
    actor,
    subject: id,
    data: {
      export_type: body.export_type,
      ...(agentId !== null && { agent_id: agentId }),
      ...committedFilter(stored),
      start_date: formatTimestamp(range.start),
      end_date: formatTimestamp(range.end),
    },
  });
  await notifyStatus(tx, exportId, 'pending', now);
  const row = await selectExport(tx, exportId);
  if (row === null) throw new Error('an inserted export is missing');
  return row;
}

/** The last instant that a manifest can represent. */
const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

function readExportRange({ start_date, end_date }: ExportBody) {
  const names = { start: 'start_date', end: 'end_date' };
  const { start, end: exclusiveEnd } = readRange(start_date, end_date, names);
  const end = exclusiveEnd === undefined ? undefined : Math.min(exclusiveEnd, LAST_INSTANT);
  if (start === undefined || end === undefined || start >= end) {
    throw invalidField('end_date', 'must be after start_date');
  }
  return { start, end };
}

/** What the bundle proves to be complete. Without a run of decisions, it proves nothing of the kind. */
function readBasis({ export_type, range_basis }: ExportBody): RangeBasis {
  if (range_basis === undefined || holdsRecords(export_type)) {
    return range_basis ?? 'recorded';
  }
  const problem = `does not go with the export_type ${export_type}, which contains no decisions: leave it out`;
  throw invalidField('range_basis', problem);
}

/** The agent of a statement; null for all other types. */
async function readAgent(
  tx: LedgerWriter,
  { export_type, agent_id }: ExportBody,
): Promise<string | null> {
  if (BUNDLES[export_type].covers !== 'agent') {
    if (agent_id === undefined) return null;
    throw invalidField(
      'agent_id',
      'only goes with the export_type statement: leave it out, or use filter.agent_id of a forensic export',
    );
  }
  if (agent_id === undefined) throw invalidField('agent_id', 'is required for a statement');
  if (!(await isAgent(tx, agent_id))) throw notFound('agent');
  return agent_id;
}

/** Refuses an export that could not be signed. */
async function refuseUnsigned(tx: LedgerWriter, { keyring }: ExportRequestTools): Promise<void> {
  try {
    await requireSigner(tx.connection, keyring, tx.scope);
  } catch (error) {
    if (!(error instanceof SigningKeyError)) throw error;
    throw new LedgerError('unavailable', error.message, { cause: error });
  }
}

async function takeAllowance(
  tx: LedgerWriter,
  {
    installation,
    now,
    onAllowance,
  }: {
    readonly installation: Installation;
    readonly now: number;
    readonly onAllowance: (allowance: Allowance) => void;
  },
): Promise<void> {
  await lockOrganisation(tx);
  const limit = (await readSettings(tx)).rate_limits.exports_per_hour;
  const ledgers = Object.values(await ledgersOf(installation, tx.scope.orgId));
  const usage = await selectUsage(installation, tx.scope, ledgers, now - WINDOW_MS, limit);
  const allowance = allowanceOf(usage, limit, now);
  onAllowance(allowance);
  if (!allowance.allowed) throw tooMany(allowance, now);
}

/** @param now ms */
function tooMany({ limit, retryAfterSeconds }: Allowance, now: number): LedgerError {
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const at = formatTimestamp(now + retryAfterSeconds * 1000);
  return new LedgerError(
    'rate_limited',
    `the organisation may request ${counted(limit, 'export')} an hour ` +
      `(rate_limits.exports_per_hour in the settings of its live ledger): ` +
      `retry in ${counted(minutes, 'minute')}, at ${at}, or raise that setting`,
  );
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** Whether another export may be requested, and the remaining allowance. */
export interface Allowance {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds: at least 1 if refused, 0 if allowed. */
  readonly retryAfterSeconds: number;
  /** Whole seconds until the full allowance is available. */
  readonly resetSeconds: number;
}

const WINDOW_MS = 3_600_000;

/** Allows at most `limit` exports in any hour, not counting those that fail. */
function allowanceOf({ used, freedBy, newest }: Usage, limit: number, now: number): Allowance {
  const secondsTo = (at: number | null) =>
    at === null ? 0 : Math.max(1, Math.ceil((at + WINDOW_MS - now) / 1000));
  const allowed = used < limit;
  return {
    allowed,
    limit,
    remaining: allowed ? limit - used - 1 : 0,
    retryAfterSeconds: allowed ? 0 : secondsTo(freedBy),
    resetSeconds: allowed ? WINDOW_MS / 1000 : secondsTo(newest),
  };
}
