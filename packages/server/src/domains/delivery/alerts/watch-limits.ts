import type { Settings } from '@decision-ledger/contract/settings';
import { uuidToId } from '../../../platform/ids.js';
import type { Ledger } from '../../../platform/ledger.js';
import { announce } from '../../log/announcements/index.js';
import { makeAlert } from './make-alert.js';
import { measureLimits } from './measure-limits.js';
import { type LimitNotice, type Measured, measured } from './rules/limits.js';
import { limitsOf } from './rules/settings-limits.js';
import { changeState } from './stored-state.js';

/** Measures what the settings limit, reports each step that is reached once, and keeps the measures for those who ask. */
export async function watchLimits(ledger: Ledger, settings: Settings): Promise<void> {
  const now = ledger.clock.now();
  const limits = limitsOf(settings, now);
  if (limits.length === 0) return;
  await changeState(ledger, async (tx, before) => {
    const used = await measureLimits(tx, limits, settings);
    const kept: Record<string, Measured> = {};
    const notices: LimitNotice[] = [];
    for (const limit of limits) {
      const known = before.limits?.[limit.key];
      const sum = used.get(limit);
      const step = sum === undefined ? null : measured(limit, sum, known, now);
      const after = step?.now ?? known;
      if (after !== undefined) kept[limit.key] = after;
      notices.push(...(step?.notices ?? []));
    }
    for (const notice of notices) await makeAlert(tx, notice);
    const subject = uuidToId('led', tx.ledgerId);
    await announce(
      tx,
      notices.map((notice) => ({ ...notice, subject })),
      now,
    );
    return { ...before, limits: kept };
  });
}
