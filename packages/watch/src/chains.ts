import type { LogOrigin } from '@decision-ledger/proof/tlog/origin';

export type Chain = LogOrigin['chain'];

/** The chains of a ledger; each has a log. */
export const CHAINS: readonly Chain[] = ['decisions', 'activity'];
