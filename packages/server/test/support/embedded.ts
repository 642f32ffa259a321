import { engineClientConfig } from '@decision-ledger/embedded/connection';
import { findRunningEngine } from '@decision-ledger/embedded/engine';
import type { ClientConfig } from 'pg';

/**
 * Connection settings for plain SQL, as the owner, to the engine of a running process on this
 * folder.
 */
export async function embeddedConnection(dataDir: string): Promise<ClientConfig> {
  const engine = await findRunningEngine(dataDir);
  if (engine === null) throw new Error(`no engine runs on ${dataDir}`);
  return engineClientConfig(engine.socketPath, 'postgres');
}
