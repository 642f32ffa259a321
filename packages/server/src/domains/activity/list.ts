import type { Activity } from '@decision-ledger/contract/activity';
import { JsonObject } from '@decision-ledger/contract/shared';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { checker } from '@decision-ledger/contract/validation';
import { parseDisclosure } from '@decision-ledger/proof/commitment';
import { parseJson } from '@decision-ledger/proof/gate';
import type { Queryable } from '../../platform/database.js';
import { uuidToId } from '../../platform/ids.js';
import type { Scope } from '../../platform/scope.js';
import type { ActivityRecord } from './store/activity-record.js';
import { type ActivityFilter, selectPage } from './store/select-page.js';

const checkData = checker(JsonObject, 'data');

/** Changes of a ledger, newest first. */
export async function listActivity(
  db: Queryable,
  scope: Scope,
  filter: ActivityFilter,
  before: number | null,
  limit: number,
): Promise<Activity[]> {
  return (await selectPage(db, scope, filter, before, limit)).map(describe);
}

function describe(row: ActivityRecord): Activity {
  const { seq, type, actor, subject, hash, prev_hash } = row;
  const data = row.data === null ? undefined : readData(row.data);
  return {
    activity_id: uuidToId('act', row.activity_id),
    ...{ seq, type, actor, subject, hash, prev_hash },
    ...(data !== undefined && { data }),
    created_at: formatTimestamp(row.created_at),
  };
}

/** One record that somebody else wrote, and that cannot be read, keeps nobody from the others. */
function readData(disclosure: string): Activity['data'] {
  try {
    return checkData(parseJson(parseDisclosure(disclosure, 'data').value));
  } catch {
    return undefined;
  }
}
