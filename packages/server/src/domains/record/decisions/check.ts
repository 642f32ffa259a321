import type { DecisionBody } from '@decision-ledger/contract/decision';
import { prepareDecision } from './rules/prepare.js';

const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/**
 * Checks a decision without recording it.
 * @param now ms
 * @throws LedgerError `validation_error`
 */
export function checkDecision(body: DecisionBody, now: number): void {
  const salt = () => 'A'.repeat(22);
  const ids = { ledgerId: NIL_UUID, decisionId: NIL_UUID };
  prepareDecision(body, { ...ids, path: '', now, salt, risk: null });
}
