import type { Placing } from './cluster/place-tables.js';
import { type DatabaseAddress, type Patience, reportingWait } from './connection.js';
import { migrate, readSchemaVersion } from './migrate.js';

interface Migrating {
  readonly patience: Patience;
  readonly placing?: Placing;
}

/**
 * Migrates what is not up to date.
 * @returns the version of the schema
 */
export async function bringUpToDate(
  address: DatabaseAddress,
  { patience, placing }: Migrating,
): Promise<number> {
  const current = await readVersion(address, patience);
  if (current !== null) return current;
  const connectMs = address.kind === 'embedded' ? firstConnectMs(patience) : undefined;
  return (await migrate(address, connectMs, placing)).version;
}

/** The engine may be busy with its first work. */
const FIRST_CONNECTION_MS = 10_000;

function firstConnectMs({ connectMs }: Patience): number {
  return connectMs === 0 ? 0 : Math.max(connectMs, FIRST_CONNECTION_MS);
}

/** A server that cannot be reached is named soon; an engine that runs may be busy. */
function readVersion(address: DatabaseAddress, patience: Patience): Promise<number | null> {
  if (address.kind === 'postgres') return readSchemaVersion(address);
  return reportingWait(patience, () => readSchemaVersion(address, firstConnectMs(patience)));
}
