import { createHash } from 'node:crypto';
import pg from 'pg';

/** What an installation calls its own on a server that it may share with other ones. */
export interface DatabaseNames {
  /** Every connection of the service acts as this role. */
  readonly role: string;
  /** The schema of all tables but those of background jobs. */
  readonly schema: string;
}

/** Those of an embedded engine, which nobody shares. */
export const EMBEDDED_NAMES: DatabaseNames = { role: 'ledger_app', schema: 'public' };

/** PostgreSQL cuts off longer names. */
const MAX_BYTES = 63;
const DIGEST_CHARS = 16;

/** Roles belong to the whole server, so that this one is named after what it may use there. */
export function defaultRole(database: string, schema: string): string {
  // No schema has a dot in its name.
  const name = `ledger_app_${database}${schema === EMBEDDED_NAMES.schema ? '' : `.${schema}`}`;
  if (Buffer.byteLength(name) <= MAX_BYTES) return name;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, DIGEST_CHARS);
  const start = Buffer.from(name).subarray(0, MAX_BYTES - DIGEST_CHARS - 1);
  // A character that was cut in two goes.
  return `${start.toString().replace(/\uFFFD$/, '')}_${digest}`;
}

/** Whether a role cannot have this name, or not the whole of it. */
export function isUnfitRole(role: string): boolean {
  return /^pg_|^(?:public|none)$|\p{Cc}/u.test(role) || Buffer.byteLength(role) > MAX_BYTES;
}

/** The schema of the tables of pg-boss. */
export function jobsSchema({ schema }: DatabaseNames): string {
  return `${schema}_jobs`;
}

/** Notifications reach the whole database. */
export function newsChannel({ schema }: DatabaseNames): string {
  return `${schema}_news`;
}

/**
 * Where statements find what they name. The tables of pg-boss (`job`, `queue`) come first: the other schema may be shared with
 * programs that have tables of these names. Nothing is found among temporary tables that is elsewhere.
 */
export function searchPath(names: DatabaseNames): string {
  const schemas = [jobsSchema(names), names.schema, 'pg_temp'];
  return schemas.map((schema) => pg.escapeIdentifier(schema)).join(', ');
}
