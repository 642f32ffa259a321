import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * Where a connection to PostgreSQL breaks while decisions are written: before COMMIT is sent, after
 * it has taken effect but before its answer arrives, or so that the answers to the whole
 * transaction are lost.
 */
export type Cut = 'before COMMIT' | 'before the answer to COMMIT' | 'before every answer';

export interface CuttingProxy {
  /** The same database, through this proxy. */
  url(databaseUrl: string): string;
  /** Breaks the next connection that commits decisions. */
  arm(cut: Cut): void;
  /** The number of connections broken. */
  readonly cuts: number;
  close(): void;
}

const MESSAGE_HEAD_BYTES = 5;
/** Longer than a commit takes, shorter than any timeout. */
const SETTLE_MS = 300;

/** A proxy between the service and the server that `databaseUrl` names. */
export async function startCuttingProxy(databaseUrl: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const state: { armed: Cut | null; cuts: number } = { armed: null, cuts: 0 };
  const take = (...wanted: Cut[]): Cut | null => {
    const { armed } = state;
    if (armed === null || !wanted.includes(armed)) return null;
    state.armed = null;
    state.cuts += 1;
    return armed;
  };
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    }
    join(client, upstream, take);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  return {
    url: (target) => Object.assign(new URL(target), { port: String(own) }).href,
    arm: (cut) => {
      state.armed = cut;
    },
    get cuts() {
      return state.cuts;
    },
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function join(client: Socket, upstream: Socket, take: (...wanted: Cut[]) => Cut | null): void {
  let carriesDecisions = false;
  let deaf = false;
  const part = () => {
    client.destroy();
    upstream.end();
  };
  client.on('data', (chunk) => {
    const text = chunk.toString('latin1');
    carriesDecisions ||= text.includes('insert-decisions');
    const at = carriesDecisions ? text.indexOf('commit\0') : -1;
    const cut = at < 0 ? null : take('before COMMIT', 'before every answer');
    if (cut === 'before COMMIT') {
      upstream.write(chunk.subarray(0, at - MESSAGE_HEAD_BYTES));
      return part();
    }
    if (cut === 'before every answer') {
      deaf = true;
      setTimeout(part, SETTLE_MS);
    }
    upstream.write(chunk);
  });
  upstream.on('data', (chunk) => {
    if (deaf) return;
    const at = carriesDecisions ? chunk.toString('latin1').indexOf('COMMIT\0') : -1;
    if (at < 0) return void client.write(chunk);
    carriesDecisions = false;
    if (take('before the answer to COMMIT') === null) return void client.write(chunk);
    deaf = true;
    client.end(chunk.subarray(0, at - MESSAGE_HEAD_BYTES), part);
  });
  client.on('close', () => upstream.end());
  upstream.on('close', () => client.destroy());
  client.on('error', () => upstream.end());
  upstream.on('error', () => client.destroy());
}
