import { randomBytes } from 'node:crypto';

/*
 * The random values that initdb creates for each cluster. Offsets in `global/pg_control` are those of
 * ControlFileData (PostgreSQL 18, src/include/catalog/pg_control.h) as compiled for 32 bits by PGlite.
 */
const CONTROL_FILE = 'global/pg_control';
const IDENTIFIER_BYTES = 8;
const STATE = 16;
/** DB_SHUTDOWNED: the files contain everything that is in the log. */
const SHUT_DOWN = 1;
/** `mock_authentication_nonce`: the seed of responses to logins of unknown users. */
const NONCE = 0x101;
const NONCE_BYTES = 32;
/** CRC-32C of all preceding bytes. */
const CHECKSUM = 0x124;

/** The first page of each log file holds the system identifier (src/include/access/xlog_internal.h). */
const LOG_FILE = /^pg_wal\/[0-9A-F]{24}$/;
const LOG_FLAGS = 2;
const HAS_LONG_HEADER = 2;
const LOG_IDENTIFIER = 24;

/**
 * Gives a copied cluster its own identity: a new system identifier, in the control file and the log,
 * and a new seed. Changes the contents in place.
 * @param files by their path in the cluster
 * @returns false, without any change, if the layout is not as expected or the cluster was not shut
 *   down cleanly
 */
export function renewIdentity(files: ReadonlyMap<string, Buffer>): boolean {
  const control = files.get(CONTROL_FILE);
  if (control === undefined || control.length < CHECKSUM + 4) return false;
  if (control.readUInt32LE(CHECKSUM) !== crc32c(control.subarray(0, CHECKSUM))) return false;
  if (!isShutDown(files)) return false;
  const former = Buffer.from(control.subarray(0, IDENTIFIER_BYTES));
  const logs = [...files].filter(([path]) => LOG_FILE.test(path)).map(([, log]) => log);
  if (!logs.every((log) => namesCluster(log, former))) return false;
  const identifier = randomBytes(IDENTIFIER_BYTES);
  identifier.copy(control);
  for (const log of logs) identifier.copy(log, LOG_IDENTIFIER);
  randomBytes(NONCE_BYTES).copy(control, NONCE);
  control.writeUInt32LE(crc32c(control.subarray(0, CHECKSUM)), CHECKSUM);
  return true;
}

/** Whether the cluster was shut down cleanly. */
export function isShutDown(files: ReadonlyMap<string, Buffer>): boolean {
  const control = files.get(CONTROL_FILE);
  return control !== undefined && control.readUInt32LE(STATE) === SHUT_DOWN;
}

function namesCluster(log: Buffer, identifier: Buffer): boolean {
  const end = LOG_IDENTIFIER + IDENTIFIER_BYTES;
  return (
    log.length >= end &&
    (log.readUInt16LE(LOG_FLAGS) & HAS_LONG_HEADER) !== 0 &&
    log.subarray(LOG_IDENTIFIER, end).equals(identifier)
  );
}

/** CRC-32C (Castagnoli; RFC 3720, appendix B.4), bitwise, because the input is short. */
function crc32c(bytes: Uint8Array): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f6_3b78 : 0);
  }
  return (crc ^ 0xffff_ffff) >>> 0;
}
