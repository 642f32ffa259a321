import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DecisionReceipt } from '@decision-ledger/contract/decision';
import { success } from '@decision-ledger/contract/envelope';
import { Parse } from 'typebox/value';
import { expect } from 'vitest';
import type { Caller } from './caller.js';

/** Texts that no compression shortens, each told apart from every other. */
function markers(count: number): string[] {
  return Array.from({ length: count }, () => `mark${randomBytes(12).toString('hex')}`);
}

/** Files under a folder, named from there, that hold one of the texts. What vanishes meanwhile holds nothing. */
export function filesHolding(folder: string, texts: readonly string[]): string[] {
  return filesUnder(folder).filter((path) => {
    const bytes = unlessGone(() => readFileSync(path));
    return bytes !== null && texts.some((text) => bytes.includes(text));
  });
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
  /** Stand in the payload, and nowhere else. */
  readonly texts: readonly string[];
}

/** Decisions whose payload is small, stored out of line, and searched for by its metadata. */
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
