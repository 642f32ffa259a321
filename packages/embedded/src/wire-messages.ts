/** Builds a protocol message of a client or server. */
export function message(type: string, ...parts: readonly (Buffer | string)[]): Buffer {
  const body = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part));
  const head = Buffer.alloc(5);
  head.write(type, 0, 'latin1');
  head.writeInt32BE(
    body.reduce((sum, part) => sum + part.length, 4),
    1,
  );
  return Buffer.concat([head, ...body]);
}

export const SYNC = message('S');

export function query(sql: string): Buffer {
  return message('Q', `${sql}\0`);
}

export function closeStatement(name: string): Buffer {
  return message('C', `S${name}\0`);
}

export function copyFail(reason: string): Buffer {
  return message('f', `${reason}\0`);
}

export function readyForQuery(): Buffer {
  return message('Z', 'I');
}

/** An error that ends the connection. */
export function fatal(code: string, text: string): Buffer {
  return message('E', `SFATAL\0VFATAL\0C${code}\0M${text}\0\0`);
}

export const AUTHENTICATION_OK = message('R', Buffer.alloc(4));

export function backendKey(connection: number, secret: Buffer): Buffer {
  const number = Buffer.alloc(4);
  number.writeInt32BE(connection);
  return message('K', number, secret);
}

export function parameterStatus(name: string, value: string): Buffer {
  return message('S', `${name}\0${value}\0`);
}
