import type { WireConnection } from './wire-connection.js';
import { type Frame, findStatementName, type Unit } from './wire-frames.js';
import { closeStatement, copyFail, message, query, SYNC } from './wire-messages.js';

/**
 * Sent after every statement that may be a COPY FROM STDIN. PGlite reads only the input passed with
 * the statement and exits if it waits for more; otherwise PostgreSQL ignores this message.
 */
const NO_COPY = copyFail('the embedded engine does not support COPY FROM STDIN: use INSERT');

/** Translates the units of many clients into messages of the shared session. */
export class UnitWriter {
  /** The client that owns the session's unnamed statement. */
  #unnamedOwner: WireConnection | null = null;
  #copySeen = false;

  /** Throws a FrameError if a message is malformed. */
  write(connection: WireConnection, unit: Unit): Buffer {
    return Buffer.concat(unit.flatMap((frame) => this.#pieces(connection, frame)));
  }

  /** Closes the prepared statements of a disconnected client. */
  writeCleanUp(connection: WireConnection): Buffer {
    const closes = [...connection.statements].map(closeStatement);
    connection.statements.clear();
    return Buffer.concat([...closes, SYNC]);
  }

  #pieces(connection: WireConnection, frame: Frame): Buffer[] {
    const { type, bytes } = frame;
    if (type === 'P' || type === 'Q') this.#copySeen ||= /stdin/i.test(bytes.toString('latin1'));
    const copies = this.#copySeen && (type === 'Q' || type === 'E');
    const own = this.#rename(connection, frame);
    return copies ? [...own, NO_COPY] : own;
  }

  #rename(connection: WireConnection, frame: Frame): Buffer[] {
    const found = findStatementName(frame);
    if (found === null) {
      // A simple query removes the unnamed statement.
      if (frame.type === 'Q') this.#unnamedOwner = null;
      return [frame.bytes];
    }
    if (found.name === '') {
      if (frame.type === 'P') this.#unnamedOwner = connection;
      // If the unnamed statement is another client's, PostgreSQL must report that there is none.
      if (this.#unnamedOwner === connection) return [frame.bytes];
    }
    const name = connection.statementName(found.name);
    if (frame.type === 'P') connection.statements.add(name);
    if (frame.type === 'C') connection.statements.delete(name);
    const head = Buffer.from(frame.bytes.subarray(0, 5));
    const text = Buffer.from(name);
    head.writeInt32BE(4 + found.before.length + text.length + found.after.length, 1);
    return [head, found.before, text, found.after];
  }
}

/** Whether PostgreSQL answers the last message of a unit with ReadyForQuery. */
export function endsGroup(unit: Unit): boolean {
  return unit.at(-1)?.type !== 'H';
}

/**
 * Ends the transaction that a client left open. The first message fails on purpose: a Sync alone would
 * commit statements that were executed outside a transaction block.
 */
export const ROLLBACK_GROUP = Buffer.concat([
  message('E', 'no such portal\0', Buffer.alloc(4)),
  SYNC,
  query('ROLLBACK'),
]);
