import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ChainName } from '../../../platform/chain/head.js';
import type { Ledger } from '../../../platform/ledger.js';
import { faultOf, LogFault, ofLog } from './fault.js';
import { grownTree, tilePartsOf, treePartOf } from './projections.js';
import { requireWhole } from './require-whole.js';
import { thinCheckpoints } from './store/checkpoints.js';
import { type LogRow, selectLog, updateRebuilt } from './store/tlogs.js';

const CHAINS: readonly ChainName[] = ['decisions', 'activity'];

/**
 * Builds the trees of a ledger again from the records of its chains, and compares them with what is stored
 * and signed. A fault is noted, or one that is gone is withdrawn. Then thins old checkpoints.
 * @throws LogFault
 */
export async function rebuildLogs(ledger: Ledger, signal: AbortSignal): Promise<void> {
  const faults: string[] = [];
  for (const chain of CHAINS) {
    const log = await selectLog(ledger, chain);
    if (log === null) continue;
    const fault = await compare(ledger, log, signal);
    await ledger.write((tx) => updateRebuilt(tx, log, fault, tx.clock.now()));
    if (fault !== null) faults.push(fault);
    else while ((await ledger.write((tx) => thinCheckpoints(tx, log))) > 0) signal.throwIfAborted();
  }
  if (faults.length > 0) throw new LogFault(faults.join('; '));
}

/** @returns what differs first; null if nothing does */
async function compare(ledger: Ledger, log: LogRow, signal: AbortSignal): Promise<string | null> {
  try {
    await requireWhole(ledger);
    const tree = await grownTree(ledger, log, signal);
    for (const part of [...tilePartsOf(log, tree), treePartOf(log, tree)]) {
      signal.throwIfAborted();
      const { differences } = await ledger.read((reader) => part.compare(reader));
      const [first] = differences;
      if (first !== undefined)
        return `${log.origin} has another tree than its records: ${first.key}`;
      await nextTurn();
    }
    return null;
  } catch (error) {
    const fault = faultOf(error);
    if (fault === null) throw error;
    return ofLog(log, fault);
  }
}
