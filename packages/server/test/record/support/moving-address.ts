import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** An address that a failover moves to another server. */
export interface MovingAddress {
  /** A database at this address. */
  url(databaseUrl: string): string;
  /** Cuts all connections; new ones lead to another port of this machine. */
  move(port: number): void;
  close(): void;
}

/** @param port of the first server, on this machine */
export async function startMovingAddress(port: number): Promise<MovingAddress> {
  let target = port;
  const sockets = new Set<Socket>();
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.once('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  return {
    url: (databaseUrl) => Object.assign(new URL(databaseUrl), { port: String(own) }).href,
    move(to) {
      target = to;
      cut();
    },
    close() {
      server.close();
      cut();
    },
  };
}
