import type { Explanation } from '@decision-ledger/contract/explanation';
import type { LedgerReader } from '../../../platform/ledger.js';
import { readDecision } from '../../record/decisions/index.js';
import { readEvent } from '../../record/financial-events/index.js';
import { explainCause } from '../attribution/index.js';

/**
 * What an event and a decision have in common.
 * @throws LedgerError `not_found`
 */
export async function readExplanation(
  ledger: LedgerReader,
  eventId: string,
  decisionId: string,
): Promise<Explanation> {
  const event = await readEvent(ledger, eventId);
  return explainCause(ledger, event, await readDecision(ledger, decisionId));
}
