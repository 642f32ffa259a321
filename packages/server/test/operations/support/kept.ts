import { DecisionPage, type DecisionReceipt } from '@decision-ledger/contract/decision';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import { expect } from 'vitest';
import { createCaller } from '../../support/caller.js';
import {
  type Environment,
  embeddedEnvironment,
  type Keys,
  startService,
} from '../../support/service-process.js';
import { append } from './restored-suite.js';

/** The service on a restored folder has every decision of the receipts, and goes on. */
export function expectKept(dataDir: string, keys: Keys, receipts: readonly DecisionReceipt[]) {
  return expectServed(embeddedEnvironment(dataDir), keys, receipts);
}

export async function expectServed(
  environment: Environment,
  keys: Keys,
  receipts: readonly DecisionReceipt[],
): Promise<void> {
  const service = await startService(environment);
  const caller = createCaller(service.url, keys.test);
  try {
    const found = new Map<string, string>();
    let cursor: string | null = '';
    while (cursor !== null) {
      const more: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { body } = await caller.call('GET', `/api/v1/decisions?limit=500${more}`);
      const page: DecisionPage = Parse(Type.Object({ data: DecisionPage }), body).data;
      for (const { decision_id, hash } of page.decisions) found.set(decision_id, hash);
      cursor = page.next_cursor;
    }
    expect(receipts.length).toBeGreaterThan(0);
    for (const { decision_id, hash } of receipts) expect(found.get(decision_id)).toBe(hash);
    expect((await append(caller)).seq).toBe(found.size + 1);
  } finally {
    caller.close();
    await service.stop();
  }
}
