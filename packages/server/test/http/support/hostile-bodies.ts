import { LIMITS } from '@decision-ledger/contract/limits';

/** Numbers from 0 up to 1, reproducible by seed (mulberry32). */
export type Random = () => number;

export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface HostileBody {
  readonly name: string;
  /** @param bytes approximate size */
  readonly make: (bytes: number, random: Random) => string | Buffer<ArrayBuffer>;
}

const fill = (piece: string, bytes: number) =>
  piece.repeat(Math.max(1, Math.floor(bytes / piece.length)));

const list = (piece: string, bytes: number) => `[${fill(`${piece},`, bytes - 4)}${piece}]`;

const inBatch = (text: string) => `{"decisions":${text}}`;

const decisionWith = (inputs: string) =>
  `{"agent_id":"a","action_type":"b","confidence":1,"outputs":{},"inputs":${inputs}}`;

/** Bodies meant to hold the service up, each of any size. */
export const HOSTILE_BODIES: readonly HostileBody[] = [
  {
    name: 'random bytes',
    make: (bytes, random) => Buffer.from(Array.from({ length: bytes }, () => random() * 256)),
  },
  { name: 'blanks', make: (bytes) => fill(' ', bytes) },
  { name: 'brackets', make: (bytes) => fill('[', bytes) },
  { name: 'nested objects', make: (bytes) => fill('{"a":', bytes) },
  { name: 'ones', make: (bytes) => list('1', bytes) },
  { name: 'empty objects', make: (bytes) => list('{}', bytes) },
  { name: 'a batch of ones', make: (bytes) => inBatch(list('1', bytes)) },
  { name: 'a batch of empty objects', make: (bytes) => inBatch(list('{}', bytes)) },
  { name: 'one long text', make: (bytes) => `{"agent_id":"${fill('x', bytes)}"}` },
  { name: 'escapes', make: (bytes) => `{"agent_id":"${fill('\\u0041', bytes)}"}` },
  { name: 'half of a surrogate pair', make: (bytes) => `{"a":"${fill('x', bytes)}\\ud800"}` },
  { name: 'a long number', make: (bytes) => `{"confidence":0.${fill('1', bytes)}}` },
  { name: 'many members', make: members },
  { name: 'the same member', make: (bytes) => `{${fill('"a":1,', bytes)}"a":1}` },
  { name: 'proto', make: (bytes) => `{"__proto__":${list('1', bytes)}}` },
  { name: 'many permissions', make: permissions },
  { name: 'a decision of ones', make: (bytes) => decisionWith(`{"a":${list('1', bytes)}}`) },
  { name: 'a decision of objects', make: (bytes) => decisionWith(`{"a":${list('{}', bytes)}}`) },
  { name: 'a batch that is good', make: goodBatch },
  { name: 'a text of patterns', make: (bytes) => `{"name":"${fill('a+b*(c)?', bytes)}!"}` },
];

function members(bytes: number): string {
  const pairs = Array.from({ length: Math.ceil(bytes / 14) }, (_, n) => `"m${n}":${n}`);
  return `{${pairs.join()}}`;
}

function permissions(bytes: number): string {
  const names = Array.from({ length: Math.ceil(bytes / 10) }, (_, n) => `"p${n}"`);
  return `{"name":"a key","permissions":[${names.join()}]}`;
}

function goodBatch(bytes: number): string {
  const each = Math.min(bytes / LIMITS.batchDecisions, LIMITS.payloadFieldBytes) - 200;
  const inputs = `{"a":${list('{}', Math.max(10, each))}}`;
  return inBatch(`[${Array.from({ length: 100 }, () => decisionWith(inputs)).join()}]`);
}
