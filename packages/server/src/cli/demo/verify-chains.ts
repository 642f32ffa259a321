import { verifyActivity } from '../../domains/log/activity/index.js';
import { announceVerification } from '../../domains/log/announcements/index.js';
import { verifyDecisions } from '../../domains/record/decisions/index.js';
import type { Preparation } from './record-acts.js';

const WHOLE = { range: { start: undefined, end: undefined }, anchor: null };
const CHAINS = { decisions: verifyDecisions, activity: verifyActivity } as const;

/** Verifies both chains, as the evidence page does. Throws if one is broken. */
export async function verifyDemoChains({ service, importer }: Preparation): Promise<void> {
  const { db } = service;
  const { scope } = importer;
  for (const chain of ['decisions', 'activity'] as const) {
    const verification = await CHAINS[chain](db.ledger(scope), WHOLE);
    if (verification.finding !== null) throw new Error(`the chain of ${chain} is broken`);
    await announceVerification(service.db.ledger(scope), chain, verification, true);
  }
}
