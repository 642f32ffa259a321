import type { ActivityType } from '@decision-ledger/contract/activity';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { canonicalJson } from '@decision-ledger/proof/canonical';
import { commitmentOf, disclosureText } from '@decision-ledger/proof/commitment';
import { activityEntry } from '@decision-ledger/proof/entry';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { leafHash } from '@decision-ledger/proof/hash';
import { lockHead } from '../../../platform/chain/lock-head.js';
import { moveHead } from '../../../platform/chain/move-head.js';
import type { Queryable } from '../../../platform/database.js';
import { type IdFactory, uuidToId } from '../../../platform/ids.js';
import type { RandomPool } from '../../../platform/random.js';
import type { Scope } from '../../../platform/scope.js';
import { insertActivity } from './store/activity.js';

/** A change to append to the chain of activity. */
export interface Change {
  readonly type: ActivityType;
  /** Identifier of the key that made the change, or `operator`. */
  readonly actor: string;
  /** Identifier of the changed object. */
  readonly subject: string;
  readonly data?: { readonly [name: string]: JsonValue };
}

/**
 * Appends a change to the chain of activity, in the transaction that makes the change.
 * @returns ms: when the change was recorded
 */
export type RecordActivity = (tx: Queryable, scope: Scope, change: Change) => Promise<number>;

export interface ActivityTools {
  readonly ids: IdFactory;
  readonly random: RandomPool;
}

export function activityRecorder({ ids, random }: ActivityTools): RecordActivity {
  return async (tx, scope, change) => {
    const head = await lockHead(tx, scope, 'activity');
    const activityId = ids.uuid();
    const seq = head.seq + 1;
    const data =
      change.data === undefined
        ? null
        : disclosureText(random.base64url(16), 'data', canonicalJson(change.data));
    const entry = activityEntry({
      ledger: uuidToId('led', scope.ledgerId),
      epoch: head.epoch,
      seq,
      prev_hash: head.hash,
      activity_id: uuidToId('act', activityId),
      type: change.type,
      actor: change.actor,
      subject: change.subject,
      created_at: formatTimestamp(head.now),
      commitments: data === null ? {} : { data: commitmentOf(data) },
    });
    const hash = leafHash(entry);
    const { type, actor, subject } = change;
    await insertActivity(tx, scope, {
      seq,
      epoch: head.epoch,
      activityId,
      type,
      actor,
      subject,
      createdAt: head.now,
      entry,
      hash,
      prevHash: head.hash,
      data,
    });
    await moveHead(tx, scope, 'activity', { seq, hash, createdAt: head.now });
    return head.now;
  };
}
