import type { Activity } from '@decision-ledger/contract/chain';
import { JsonObject } from '@decision-ledger/contract/shared';
import { formatTimestamp } from '@decision-ledger/contract/time';
import type { ActivityType } from '@decision-ledger/proof/activity-types';
import { canonicalJson } from '@decision-ledger/proof/canonical';
import { type ActivityColumns, activityWalk } from '@decision-ledger/proof/chain';
import { commitmentOf, disclosureText } from '@decision-ledger/proof/commitment';
import { legibleValue } from '@decision-ledger/proof/disclosed-value';
import { activityEntry } from '@decision-ledger/proof/entry';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { leafHash } from '@decision-ledger/proof/hash';
import { type When, type WhenOfLink, whenText } from '@decision-ledger/proof/when';
import { Check } from 'typebox/value';
import { type LockedHead, lockHead, moveHead } from '../../../platform/chain/head.js';
import {
  type ChainSource,
  type RecordToVerify,
  type Verification,
  type VerificationProgress,
  type VerifyRequest,
  verifyChain,
} from '../../../platform/chain/verify.js';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import { mapPageInTurns, type PageRows, type Slice } from '../../../platform/page.js';
import {
  type ActivityFilter,
  type ActivityRecord,
  type ActivityRow,
  insertActivities,
  selectActivityPage,
  selectActivityRecords,
} from './store/activity.js';

interface ChangeOf<Type extends ActivityType> {
  readonly type: Type;
  /** Identifier of the key that made the change, or `operator`. */
  readonly actor: string;
  /** Identifier of the changed object. */
  readonly subject: string;
  readonly data?: { readonly [name: string]: JsonValue };
}

/**
 * A change to append to the chain of activity. One of an event, a movement or a link states the times that it is about,
 * so that an export can prove that what it withholds lies outside its range.
 */
export type ActivityChange =
  | (ChangeOf<ActivityType<'event'>> & { readonly when: Pick<When, 'event' | 'others'> })
  | (ChangeOf<ActivityType<'link'>> & { readonly when: WhenOfLink })
  | (ChangeOf<Exclude<ActivityType, ActivityType<'event' | 'link'>>> & {
      readonly when?: never;
    });

/**
 * Appends a change to the chain of activity, in the transaction that makes the change.
 * @returns ms: when the change was recorded
 */
export function recordActivity(tx: LedgerWriter, change: ActivityChange): Promise<number> {
  return recordActivities(tx, [change]);
}

/**
 * Appends changes in their order, all with the same time.
 * @returns ms: when they were recorded
 */
export async function recordActivities(
  tx: LedgerWriter,
  changes: readonly ActivityChange[],
): Promise<number> {
  const head = await lockHead(tx, 'activity');
  const rows = chainChanges(tx, head, changes);
  const last = rows.at(-1);
  if (last === undefined) return head.now;
  await insertActivities(tx, rows);
  await moveHead(tx, 'activity', {
    seq: last.seq,
    hash: last.hash,
    createdAt: head.now,
  });
  return head.now;
}

function chainChanges(
  { scope, ids, random }: LedgerWriter,
  { epoch, now, ...head }: LockedHead,
  changes: readonly ActivityChange[],
): ActivityRow[] {
  let { seq, hash: prevHash } = head;
  return changes.map(({ type, actor, subject, data: plain, when: times }) => {
    const activityId = ids.uuid();
    seq += 1;
    const data =
      plain === undefined
        ? null
        : disclosureText(random.base64url(16), 'data', canonicalJson(plain));
    const when = times === undefined ? null : whenText(random.base64url(16), times);
    const entry = activityEntry({
      ledger: uuidToId('led', scope.ledgerId),
      epoch,
      seq,
      prev_hash: prevHash,
      activity_id: uuidToId('act', activityId),
      ...{ type, actor, subject },
      created_at: formatTimestamp(now),
      commitments: {
        ...(data !== null && { data: commitmentOf(data) }),
        ...(when !== null && { when: commitmentOf(when) }),
      },
    });
    const hash = leafHash(entry);
    const place = { seq, epoch, activityId, createdAt: now, prevHash };
    prevHash = hash;
    return { ...place, type, actor, subject, entry, hash, data, when };
  });
}

/** Changes of a ledger, newest first. */
export async function listActivity(
  ledger: LedgerReader,
  filter: ActivityFilter,
  slice: Slice<number>,
): Promise<PageRows<Activity>> {
  return mapPageInTurns(await selectActivityPage(ledger, filter, slice), describe);
}

function describe(row: ActivityRecord): Activity {
  // Unreadable data of a forged record must not fail the whole page.
  const data = legibleValue(row.data, 'data');
  return {
    activity_id: uuidToId('act', row.activity_id),
    seq: row.seq,
    type: row.type,
    actor: row.actor,
    subject: row.subject,
    hash: row.hash,
    prev_hash: row.prev_hash,
    ...(Check(JsonObject, data) && { data }),
    created_at: formatTimestamp(row.created_at),
  };
}

/** Verifies the chain of activity: entries, links, commitments, columns, head. */
export function verifyActivity(
  ledger: LedgerReader,
  request: VerifyRequest,
  onProgress?: (progress: VerificationProgress) => void,
): Promise<Verification> {
  return verifyChain(ledger, SOURCE, request, onProgress);
}

const SOURCE: ChainSource<ActivityColumns> = {
  chain: 'activity',
  timeColumn: 'created_at',
  walk: (start) => activityWalk(start),
  records: async (ledger, span) => (await selectActivityRecords(ledger, span)).map(readRecord),
};

function readRecord(row: ActivityRecord): RecordToVerify<ActivityColumns> {
  const id = uuidToId('act', row.activity_id);
  return {
    record: {
      seq: row.seq,
      hash: row.hash,
      prevHash: row.prev_hash,
      entry: row.entry,
      columns: {
        activity_id: id,
        type: row.type,
        actor: row.actor,
        subject: row.subject,
        created_at: formatTimestamp(row.created_at),
      },
      disclosures: { data: row.data, when: row.when },
    },
    id,
    epoch: row.epoch,
    finding: null,
    bytes: row.entry.length + (row.data?.length ?? 0) + (row.when?.length ?? 0),
  };
}
