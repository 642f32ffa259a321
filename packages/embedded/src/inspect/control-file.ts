import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../engine-error.js';
import { crc32c } from './checksums.js';

/*
 * Offsets are those of ControlFileData (PostgreSQL 18, src/include/catalog/pg_control.h) as compiled for
 * 32 bits by PGlite.
 */
export const CONTROL_FILE = 'global/pg_control';
export const IDENTIFIER_BYTES = 8;
const STATE = 16;
const TIME = 24;
const CHECKPOINT = 32;
const REDO = 40;
const TIMELINE = 48;
const CHECKSUM_VERSION = 0xfc;
/** `mock_authentication_nonce`: the seed of responses to logins of unknown users. */
export const NONCE = 0x101;
export const NONCE_BYTES = 32;
/** CRC-32C of all preceding bytes. */
const CHECKSUM = 0x124;

/** DB_SHUTDOWNED: the files contain everything that is in the log. */
const SHUT_DOWN = 1;

/** What the control file says of a database. */
export interface Control {
  /** Whether the database was shut down cleanly. */
  readonly isShutDown: boolean;
  /** When the file was written: seconds since 1970. */
  readonly writtenAt: number;
  /** Position of the last checkpoint's record in the log. */
  readonly checkpoint: bigint;
  /** Position from which the log is replayed. */
  readonly redo: bigint;
  readonly timeline: number;
  /** Whether the pages have checksums. */
  readonly hasChecksums: boolean;
}

/** @returns null if the bytes are not a control file, or not as they were written */
export function parseControl(bytes: Buffer): Control | null {
  if (bytes.length < CHECKSUM + 4) return null;
  if (bytes.readUInt32LE(CHECKSUM) !== checksumOf(bytes)) return null;
  return {
    isShutDown: bytes.readUInt32LE(STATE) === SHUT_DOWN,
    writtenAt: Number(bytes.readBigInt64LE(TIME)),
    checkpoint: bytes.readBigUInt64LE(CHECKPOINT),
    redo: bytes.readBigUInt64LE(REDO),
    timeline: bytes.readUInt32LE(TIMELINE),
    hasChecksums: bytes.readUInt32LE(CHECKSUM_VERSION) !== 0,
  };
}

/**
 * The control file of a database; null if it is missing or damaged.
 *
 * @param folder of the database cluster
 * @example
 * ```ts
 * import { readControl } from '@decision-ledger/embedded/inspect/control-file';
 *
 * readControl('./no-such-folder'); // => null
 * ```
 */
export function readControl(folder: string): Control | null {
  try {
    return parseControl(readFileSync(join(folder, CONTROL_FILE)));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Writes the checksum of changed bytes. */
export function sealControl(bytes: Buffer): void {
  bytes.writeUInt32LE(checksumOf(bytes), CHECKSUM);
}

function checksumOf(bytes: Buffer): number {
  return crc32c(bytes.subarray(0, CHECKSUM));
}
