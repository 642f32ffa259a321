import type { WireConnection } from './wire-connection.js';
import { type Frame, findStatementName, type Unit } from './wire-frames.js';
import { closeStatement, copyFail, message, query, SYNC } from './wire-messages.js';

/**
 * Sent behind every statement that may be a COPY FROM STDIN. PGlite reads only what it was given
 * with the statement, and ends when it waits for more; elsewhere PostgreSQL ignores this message.
 */
const NO_COPY = copyFail('the embedded engine takes no COPY FROM STDIN: use INSERT');

/** Turns the units of many clients into messages for the one session that they share. */
export class UnitWriter {
  /** Whose unnamed statement the session has now. */
  #unnamedOwner: WireConnection | null = null;
  #copySeen = false;

  /** Throws a FrameError where a message is not what its type says. */
  write(connection: WireConnection, unit: Unit): Buffer {
    return Buffer.concat(unit.flatMap((frame) => this.#pieces(connection, frame)));
  }

  /** Removes what a client that is gone has prepared. */
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
      // With another client's statement in its place, the answer must be that there is none.
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

/** Whether a unit ends with a message that PostgreSQL answers with ReadyForQuery. */
export function endsGroup(unit: Unit): boolean {
  return unit.at(-1)?.type !== 'H';
}

/**
 * Ends whatever a client left open. The first message fails on purpose: a Sync alone would commit
 * what was executed outside a transaction block.
 */
export const ROLLBACK_GROUP = Buffer.concat([
  message('E', 'no such portal\0', Buffer.alloc(4)),
  SYNC,
  query('ROLLBACK'),
]);
