import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signCheckpoint } from '@decision-ledger/proof/tlog/checkpoint';
import { signReceipt } from '@decision-ledger/proof/tlog/receipt';
import { parseTilePath, TILE_WIDTH } from '@decision-ledger/proof/tlog/tiles';
import { verifierKeyText } from '@decision-ledger/proof/tlog/verifier-key';
import { signerOf } from '../../../proof/test/support/ed25519.js';
import { MerkleOracle } from '../../../proof/test/support/merkle-oracle.js';

const LEDGER = 'led_01h455vb4pex5vsknk084sn02q';
export const ORIGINS = {
  decisions: `example.com/${LEDGER}/decisions`,
  activity: `example.com/${LEDGER}/activity`,
};
type Chain = keyof typeof ORIGINS;
const SIGNERS = {
  decisions: signerOf(ORIGINS.decisions, 1),
  activity: signerOf(ORIGINS.activity, 2),
};
export const LOG_KEYS = [SIGNERS.decisions, SIGNERS.activity].map(({ key }) =>
  verifierKeyText(key),
);

/** How a log answers instead of with what it has. */
type Fault = (path: string, answer: ServerResponse) => boolean;

export const leafOf = (text: string) => createHash('sha256').update(`\0${text}`).digest();

/** The leaves `a 0`, `a 1` and so on. */
export const history = (name: string, size: number) =>
  Array.from({ length: size }, (_, at) => leafOf(`${name} ${at}`));

/** A log that really serves its trees, and whose operator can do what operators must not. */
export class LogServer {
  readonly leaves: Record<Chain, Buffer[]> = {
    decisions: history('decision', 5),
    activity: history('activity', 3),
  };
  /** Signs checkpoints of the decisions with another key. */
  seed = 1;
  fault: Fault = () => false;
  readonly requests: string[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<LogServer> {
    const server = createServer((request, response) => {
      const path = (request.url ?? '').replace(`/api/v1/logs/${LEDGER}/`, '');
      log.requests.push(path);
      if (!log.fault(path, response)) log.#answer(path, response);
    });
    const log = new LogServer(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return log;
  }

  get url(): string {
    const address: AddressInfo | string | null = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return `http://127.0.0.1:${address.port}/api/v1/logs/${LEDGER}`;
  }

  note(chain: Chain): string {
    const leaves = this.leaves[chain];
    const root = new MerkleOracle(leaves).root(0, leaves.length);
    const signer = chain === 'decisions' ? signerOf(ORIGINS.decisions, this.seed) : SIGNERS[chain];
    const checkpoint = { origin: ORIGINS[chain], size: leaves.length, root };
    return signCheckpoint(checkpoint, signer.key, signer.sign);
  }

  receipt(seq: number, hash: Buffer): string {
    const { key, sign } = SIGNERS.decisions;
    const created_at = '2026-04-16T09:30:00.120Z';
    return signReceipt({ ledger: LEDGER, seq, hash: hash.toString('hex'), created_at }, key, sign);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #answer(path: string, response: ServerResponse): void {
    const [, chain, rest = ''] = /^(decisions|activity)\/(.*)$/.exec(path) ?? [];
    if (chain !== 'decisions' && chain !== 'activity') response.writeHead(404).end();
    else if (rest === 'checkpoint') response.end(this.note(chain));
    else this.#sendTile(this.leaves[chain], rest, response);
  }

  #sendTile(leaves: Buffer[], path: string, response: ServerResponse): void {
    const { level, index, width } = parseTilePath(path);
    if (level === 'entries') throw new Error('a watcher reads no entries');
    const oracle = new MerkleOracle(leaves);
    const span = TILE_WIDTH ** level;
    const first = index * TILE_WIDTH;
    if ((first + width) * span > leaves.length) {
      response.writeHead(404).end();
      return;
    }
    const hashes = Array.from({ length: width }, (_, at) =>
      oracle.root((first + at) * span, (first + at + 1) * span),
    );
    response.end(Buffer.concat(hashes));
  }
}
