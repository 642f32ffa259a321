import { randomBytes } from 'node:crypto';
import {
  CONTROL_FILE,
  IDENTIFIER_BYTES,
  NONCE,
  NONCE_BYTES,
  parseControl,
  sealControl,
} from './inspect/control-file.js';

/** The first page of each log file holds the system identifier (src/include/access/xlog_internal.h). */
const LOG_FILE = /^pg_wal\/[0-9A-F]{24}$/;
const LOG_FLAGS = 2;
const HAS_LONG_HEADER = 2;
const LOG_IDENTIFIER = 24;

/**
 * Gives a copied cluster the random values that initdb creates for each: a new system identifier, in the
 * control file and the log, and a new seed. Changes the contents in place.
 * @param files by their path in the cluster
 * @returns false, without any change, if the layout is not as expected or the cluster was not shut
 *   down cleanly
 */
export function renewIdentity(files: ReadonlyMap<string, Buffer>): boolean {
  const control = files.get(CONTROL_FILE);
  if (control === undefined || !isShutDown(files)) return false;
  const former = Buffer.from(control.subarray(0, IDENTIFIER_BYTES));
  const logs = [...files].filter(([path]) => LOG_FILE.test(path)).map(([, log]) => log);
  if (!logs.every((log) => namesCluster(log, former))) return false;
  const identifier = randomBytes(IDENTIFIER_BYTES);
  identifier.copy(control);
  for (const log of logs) identifier.copy(log, LOG_IDENTIFIER);
  randomBytes(NONCE_BYTES).copy(control, NONCE);
  sealControl(control);
  return true;
}

/** Whether the cluster was shut down cleanly. */
export function isShutDown(files: ReadonlyMap<string, Buffer>): boolean {
  const control = files.get(CONTROL_FILE);
  return control !== undefined && parseControl(control)?.isShutDown === true;
}

function namesCluster(log: Buffer, identifier: Buffer): boolean {
  const end = LOG_IDENTIFIER + IDENTIFIER_BYTES;
  return (
    log.length >= end &&
    (log.readUInt16LE(LOG_FLAGS) & HAS_LONG_HEADER) !== 0 &&
    log.subarray(LOG_IDENTIFIER, end).equals(identifier)
  );
}
