import { closeMonths } from '../../domains/answers/analytics/index.js';
import { suggestNow } from '../../domains/judgement/attribution/index.js';
import { runNow } from '../../domains/judgement/liability/index.js';
import type { Preparation } from './record-acts.js';

/** Never aborted: a preparation is all or nothing. */
const RUNNING = new AbortController().signal;

/** Suggests links for all events that wait. */
export async function suggestLinks({ service, importer }: Preparation): Promise<void> {
  await suggestNow(service.db.ledger(importer.scope), service.hooks, RUNNING);
}

/** Estimates all decisions from what is known. */
export async function estimateDecisions({ service, importer }: Preparation): Promise<void> {
  await runNow(service.db.ledger(importer.scope), service, () => undefined);
}

/** Closes the months that ended long enough ago. */
export async function closeBooks({ service, importer }: Preparation): Promise<void> {
  await closeMonths(service.db.ledger(importer.scope), RUNNING);
}
