import { engineClientConfig } from '@decision-ledger/embedded/connection';
import { findRunningEngine } from '@decision-ledger/embedded/engine';
import type { ClientConfig } from 'pg';

/** How plain SQL reaches the engine that a running process has on this folder, as the owner. */
export async function embeddedConnection(dataDir: string): Promise<ClientConfig> {
  const engine = await findRunningEngine(dataDir);
  if (engine === null) throw new Error(`no engine runs on ${dataDir}`);
  return engineClientConfig(engine.socketPath, 'postgres');
}
