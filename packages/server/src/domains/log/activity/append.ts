import { formatTimestamp } from '@decision-ledger/contract/time';
import type { ActivityType } from '@decision-ledger/proof/activity-types';
import { canonicalJson } from '@decision-ledger/proof/canonical';
import { commitmentOf, disclosureText } from '@decision-ledger/proof/commitment';
import { activityEntry } from '@decision-ledger/proof/entry';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { leafHash } from '@decision-ledger/proof/hash';
import { type When, whenText } from '@decision-ledger/proof/when';
import { type LockedHead, lockHead, moveHead } from '../../../platform/chain/head.js';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import { type ActivityRow, insertActivities } from './store/activity.js';

interface ChangeOf<Type extends ActivityType> {
  readonly type: Type;
  /** Identifier of the key that made the change, or `operator`. */
  readonly actor: string;
  /** Identifier of the changed object. */
  readonly subject: string;
  readonly data?: { readonly [name: string]: JsonValue };
}

/**
 * A change to append to the chain of activity. One of an event or a link states the times that it is about,
 * so that an export can prove that what it withholds lies outside its range.
 */
export type ActivityChange =
  | (ChangeOf<ActivityType<'event'>> & { readonly when: Pick<When, 'event'> })
  | (ChangeOf<ActivityType<'link'>> & { readonly when: Required<When> })
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
