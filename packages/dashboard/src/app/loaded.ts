import { LedgerConnectionError } from '@decision-ledger/client';

/**
 * The module of a page. The router reloads the document if a module is gone, which is right after an update of the
 * service; without a network, a reload would lose the page that is in view.
 * @throws LedgerConnectionError if the service cannot be reached
 */
export async function loaded<Module>(module: Promise<Module>): Promise<Module> {
  try {
    return await module;
  } catch (error) {
    if (await isReachable()) throw error;
    throw new LedgerConnectionError('the page cannot be loaded while the service is away');
  }
}

async function isReachable(): Promise<boolean> {
  try {
    return (await fetch('/version', { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}
