import { once } from 'node:events';
import { connect } from 'node:net';
import { serverRequire } from './sql.js';

const { WebSocket } = serverRequire('ws');
const SEQ = Buffer.from('"seq":');
const QUOTE_END = 0x2c;
const CONNECTING = 50;
const OPCODE = 0x0f;
const TEXT = 1;

/**
 * Opens connections to the stream. Frames are scanned as bytes, because parsing their JSON a thousand times
 * would take longer than producing it.
 * @param {string} url of the service
 * @param {string} key
 * @param {number} count
 * @param {(client: number, seq: number) => void} onEvent
 * @param {(reason: string) => void} onEnd called if a connection ends unexpectedly
 */
export async function openStreams(url, key, count, onEvent, onEnd) {
  const { hostname, port } = new URL(url);
  const sockets = [];
  for (let first = 0; first < count; first += CONNECTING) {
    const wave = Array.from({ length: Math.min(CONNECTING, count - first) }, async (_, n) => {
      const socket = connect(Number(port), hostname);
      await handshake(socket, key, (seq) => onEvent(first + n, seq));
      socket.on('close', () => onEnd(`connection ${first + n} was closed`));
      return socket;
    });
    sockets.push(...(await Promise.all(wave)));
  }
  return {
    close() {
      for (const socket of sockets) socket.removeAllListeners('close').destroy();
    },
  };
}

/**
 * @param {import('node:net').Socket} socket
 * @param {string} key
 * @param {(seq: number) => void} onEvent
 */
async function handshake(socket, key, onEvent) {
  socket.on('error', () => socket.destroy());
  await once(socket, 'connect');
  socket.write(
    'GET /ws/v1/stream?types=decision.recorded HTTP/1.1\r\nHost: bench\r\nConnection: Upgrade\r\n' +
      'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
      `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nX-Ledger-Key: ${key}\r\n\r\n`,
  );
  /** @type {Buffer} */
  let rest = Buffer.alloc(0);
  let isOpen = false;
  await /** @type {Promise<void>} */ (
    new Promise((resolve, reject) => {
      socket.on('data', (chunk) => {
        rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
        if (!isOpen) {
          const end = rest.indexOf('\r\n\r\n');
          if (end === -1) return;
          if (!rest.toString('latin1', 0, 12).endsWith('101')) reject(new Error(String(rest)));
          isOpen = true;
          rest = rest.subarray(end + 4);
          resolve();
        }
        rest = readFrames(rest, onEvent);
      });
    })
  );
}

/**
 * Records a decision, and returns its event as the stream sends it.
 * @param {string} url of the service
 * @param {string} key
 * @param {string} body of the decision
 * @returns {Promise<{ seq: number, frame: string }>}
 */
export async function firstFrame(url, key, body) {
  const address = `${url.replace('http', 'ws')}/ws/v1/stream?types=decision.recorded`;
  const socket = new WebSocket(address, { headers: { 'x-ledger-key': key } });
  await once(socket, 'open');
  /** @type {string[]} */
  const frames = [];
  socket.on('message', (/** @type {Buffer} */ text) => frames.push(String(text)));
  const headers = { 'x-ledger-key': key, 'content-type': 'application/json' };
  const answer = await fetch(`${url}/api/v1/decisions`, { method: 'POST', headers, body });
  const { seq } = (await answer.json()).data;
  // Heartbeats have no seq.
  const find = () => frames.find((text) => text.includes(`"seq":${seq},`));
  while (find() === undefined) await once(socket, 'message');
  socket.terminate();
  return { seq, frame: String(find()) };
}

/**
 * @param {Buffer} bytes
 * @param {(seq: number) => void} onEvent
 * @returns {Buffer} the incomplete rest
 */
function readFrames(bytes, onEvent) {
  let at = 0;
  while (at + 4 <= bytes.length) {
    const short = bytes[at + 1];
    const start = at + (short < 126 ? 2 : 4);
    const end = start + (short < 126 ? short : bytes.readUInt16BE(at + 2));
    if (end > bytes.length) break;
    const isText = (bytes[at] & OPCODE) === TEXT;
    const seq = isText ? seqOf(bytes, start) : null;
    if (seq !== null) onEvent(seq);
    at = end;
  }
  return bytes.subarray(at);
}

/**
 * @param {Buffer} bytes
 * @param {number} start
 */
function seqOf(bytes, start) {
  const from = bytes.indexOf(SEQ, start) + SEQ.length;
  const seq = Number(bytes.toString('latin1', from, bytes.indexOf(QUOTE_END, from)));
  // Heartbeats have no seq.
  return Number.isInteger(seq) ? seq : null;
}
