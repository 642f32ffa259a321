import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { DecisionReceipt } from '@decision-ledger/contract/decision';
import { success } from '@decision-ledger/contract/shared';
import { Parse } from 'typebox/value';
import { expect } from 'vitest';
import type { Caller } from './caller.js';

/** Incompressible, distinct texts. */
function markers(count: number): string[] {
  return Array.from({ length: count }, () => `mark${randomBytes(12).toString('hex')}`);
}

/**
 * Files under a folder, as relative paths, that contain one of the texts or bytes, archives also in what they pack. Vanished
 * files are skipped.
 */
export function filesHolding(folder: string, texts: readonly (string | Buffer)[]): string[] {
  const holdsOne = searchFor(texts);
  return filesUnder(folder).filter((path) => {
    const bytes = unlessGone(() => readFileSync(path));
    return bytes !== null && (holdsOne(bytes) || packedIn(bytes).some(holdsOne));
  });
}

const [CENTRAL_RECORD, DEFLATED] = [0x02014b50, 8];

/** The compressed files of a ZIP archive, unpacked, by its directory (APPNOTE 4.3.12); none of anything else. */
function packedIn(bytes: Buffer): Buffer[] {
  if (bytes.subarray(0, 4).toString('latin1') !== 'PK\u0003\u0004') return [];
  const unpacked: Buffer[] = [];
  let at = bytes.length < 22 ? bytes.length : bytes.readUInt32LE(bytes.length - 6);
  while (at + 46 <= bytes.length && bytes.readUInt32LE(at) === CENTRAL_RECORD) {
    const [name, extra, comment] = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field));
    const header = bytes.readUInt32LE(at + 42);
    const data = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
    if (bytes.readUInt16LE(at + 10) === DEFLATED) {
      unpacked.push(inflateRawSync(bytes.subarray(data, data + bytes.readUInt32LE(at + 20))));
    }
    at += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return unpacked;
}

const LEAST_START = 4;

/** Searches once for how all texts begin, because a search for each of hundreds takes many times as long. */
function searchFor(texts: readonly (string | Buffer)[]): (bytes: Buffer) => boolean {
  const wanted = new Set(
    texts.map((text) => (typeof text === 'string' ? Buffer.from(text) : text).toString('latin1')),
  );
  const lengths = [...new Set([...wanted].map(({ length }) => length))];
  const start = commonStart([...wanted]);
  if (start.length < LEAST_START) return (bytes) => texts.some((text) => bytes.includes(text));
  return (bytes) => {
    let at = bytes.indexOf(start, 0, 'latin1');
    while (at !== -1) {
      const from = at;
      if (lengths.some((length) => wanted.has(bytes.toString('latin1', from, from + length)))) {
        return true;
      }
      at = bytes.indexOf(start, at + 1, 'latin1');
    }
    return false;
  };
}

function commonStart(texts: readonly string[]): string {
  const [first = '', ...others] = texts;
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}

/** A running server removes files and folders at any time, so each folder is listed by itself. */
function filesUnder(folder: string): string[] {
  const entries = unlessGone(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesUnder(path);
    return entry.isFile() ? [path] : [];
  });
}

function unlessGone<Found>(read: () => Found): Found | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

export interface Marked {
  readonly decisionId: string;
  /** Texts that occur only in the payload. */
  readonly texts: readonly string[];
}

/** Decisions with a small payload, with one stored out of line, and with searchable metadata. */
export async function recordMarked(caller: Caller): Promise<Marked[]> {
  const [small, large, other] = [markers(1), markers(300), markers(2)];
  const payloads = [
    [small, { inputs: { text: small.join(' ') } }],
    [large, { inputs: { text: large.join(' ') } }],
    [other, { outputs: { id: other[0] }, metadata: { order_id: other[1] } }],
  ] as const;
  const marked: Marked[] = [];
  for (const [texts, payload] of payloads) {
    const body = { agent_id: 'a', action_type: 'b', inputs: {}, outputs: {}, confidence: 0.5 };
    const answer = await caller.call('POST', '/api/v1/decisions', { ...body, ...payload });
    expect(answer.status).toBe(201);
    const { decision_id } = Parse(success(DecisionReceipt), answer.body).data;
    marked.push({ decisionId: decision_id, texts });
  }
  return marked;
}

export async function eraseMarked(caller: Caller, marked: readonly Marked[]): Promise<void> {
  const fieldsOf = [['inputs'], ['inputs'], ['outputs', 'metadata']];
  for (const [index, { decisionId }] of marked.entries()) {
    const body = { fields: fieldsOf[index], reason: 'a test' };
    const { status } = await caller.call('POST', `/api/v1/decisions/${decisionId}/erase`, body);
    expect(status).toBe(200);
  }
}

export const textsOf = (marked: readonly Marked[]) => marked.flatMap(({ texts }) => texts);
