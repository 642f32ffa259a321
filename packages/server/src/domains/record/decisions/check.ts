import type { DecisionBody } from '@decision-ledger/contract/decision';
import { prepareDecision } from './rules/prepare.js';

const NOWHERE = '00000000-0000-0000-0000-000000000000';

/**
 * Whether a decision would be taken, without recording it.
 * @param now ms
 * @throws LedgerError `validation_error`
 */
export function checkDecision(body: DecisionBody, now: number): void {
  const salt = () => 'A'.repeat(22);
  const place = { ledgerId: NOWHERE, decisionId: NOWHERE, path: '' };
  prepareDecision(body, { ...place, now, salt, risk: null });
}
