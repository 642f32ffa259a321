import { LedgerError } from '@decision-ledger/contract/errors';
import type { Settings, SettingsPatch } from '@decision-ledger/contract/settings';
import { canonicalJson } from '@decision-ledger/proof/canonical';
import { lockHead } from '../../platform/chain/lock-head.js';
import type { Transaction } from '../../platform/database.js';
import { uuidToId } from '../../platform/ids.js';
import type { Principal } from '../../platform/principal.js';
import type { RecordActivity } from '../activity/index.js';
import { effective, readDocument, readSettings } from './read.js';
import { mergePatch, withoutEmpty } from './rules/merge.js';
import { selectSettings } from './store/select-settings.js';
import { upsertSettings } from './store/upsert-settings.js';

/** Settings of the organisation as a whole: a sandbox key must not reach them. */
const ORGANISATION_WIDE = ['rate_limits'];

/**
 * Merges a patch into the ledger's settings; the document is valid as a whole or stays as it was.
 * @throws LedgerError `validation_error` naming the setting, `forbidden`
 */
export async function changeSettings(
  recordActivity: RecordActivity,
  tx: Transaction,
  { scope, actor }: Pick<Principal, 'scope' | 'actor'>,
  patch: SettingsPatch,
): Promise<Settings> {
  const shared = ORGANISATION_WIDE.filter((name) => name in patch);
  if (scope.mode === 'test' && shared.length > 0) {
    const list = shared.join(', ');
    throw new LedgerError(
      'forbidden',
      `${list}: change it with a live key, it holds for both modes`,
    );
  }
  await lockHead(tx, scope, 'activity');
  const before = readDocument(await selectSettings(tx, scope));
  const after = withoutEmpty(mergePatch(before, patch));
  effective(after);
  const text = canonicalJson(after);
  if (text !== canonicalJson(before)) {
    const subject = uuidToId('led', scope.ledgerId);
    const change = { type: 'settings.changed', actor, subject, data: { patch } };
    await upsertSettings(tx, scope, text, await recordActivity(tx, scope, change));
  }
  return readSettings(tx, scope);
}
