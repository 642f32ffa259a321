import { createHash, createPublicKey, verify as nodeVerify } from 'node:crypto';
import { Activity } from '@decision-ledger/contract/chain';
import { Consistency, Log } from '@decision-ledger/contract/transparency';
import { openCheckpoint } from '@decision-ledger/proof/tlog/checkpoint';
import type { Verify } from '@decision-ledger/proof/tlog/note';
import { checkConsistency } from '@decision-ledger/proof/tlog/proofs';
import { parseVerifierKey } from '@decision-ledger/proof/tlog/verifier-key';
import sql, { raw } from 'sql-template-tag';
import { Type } from 'typebox';
import { expect } from 'vitest';
import { signRound } from '#server/domains/evidence/transparency/index';
import type { Service } from '#server/service';
import { type Client, dataOf } from '../../support/client.js';
import { type Instance, scopeOf } from '../../support/service.js';

export type Chain = 'decisions' | 'activity';
export const CHAINS: readonly Chain[] = ['decisions', 'activity'];

const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

export const verify: Verify = (publicKey, message, signature) => {
  const der = Buffer.concat([SPKI, publicKey]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return nodeVerify(null, message, key, signature);
};

/** A round of the ledger of a key. */
export async function round(
  instance: Instance,
  client: Client,
  tools: Service = instance.service,
): Promise<void> {
  await signRound(
    tools.db.ledger(await scopeOf(instance, client)),
    tools,
    new AbortController().signal,
  );
}

/** The root of a tree by its definition (RFC 9162 section 2.1.1), without the code under test. */
export function rootOf(leaves: readonly Buffer[]): Buffer {
  const [first] = leaves;
  if (first === undefined) return createHash('sha256').digest();
  if (leaves.length === 1) return first;
  const half = 2 ** Math.floor(Math.log2(leaves.length - 1));
  const parts = [Buffer.of(1), rootOf(leaves.slice(0, half)), rootOf(leaves.slice(half))];
  return createHash('sha256').update(Buffer.concat(parts)).digest();
}

/** The hashes of a chain, as they are stored. */
export async function storedHashes(
  instance: Instance,
  client: Client,
  chain: Chain,
): Promise<Buffer[]> {
  const { ledgerId } = await scopeOf(instance, client);
  const rows = await instance.service.db.query<{ hash: Buffer }>(sql`
    select hash from ${raw(chain)} where ledger_id = ${ledgerId} order by seq`);
  return rows.map(({ hash }) => hash);
}

/** The last checkpoint of a log, with its signature verified. */
export async function published(client: Client, chain: Chain) {
  const { verifier_key } = dataOf(await client.get(`/log/${chain}`), Log);
  const answer = await client.get(`/log/${chain}/checkpoint`);
  expect(answer.header('content-type')).toBe('text/plain; charset=utf-8');
  return openCheckpoint(answer.text, parseVerifierKey(verifier_key), verify);
}

/** All activity of a type, oldest first. */
export async function activityOf(client: Client, type: string): Promise<Activity[]> {
  const answer = await client.get(`/activity?type=${type}&limit=100`);
  const { activity } = dataOf(answer, Type.Object({ activity: Type.Array(Activity) }));
  return activity.toReversed();
}

interface StoredCheckpoint {
  readonly size: number;
  readonly root: Buffer;
  readonly note: string;
}

export async function storedCheckpoints(
  instance: Instance,
  client: Client,
  chain: Chain,
): Promise<StoredCheckpoint[]> {
  const { ledgerId } = await scopeOf(instance, client);
  return instance.service.db.query<StoredCheckpoint>(sql`
    select size, root, note from checkpoints where ledger_id = ${ledgerId} and chain = ${chain}
    order by size`);
}

/**
 * What must hold after any crash: every checkpoint is that of the records, signed by the key of its log, and
 * follows the one before; each of the decisions is chained, once; the last of the activity covers them.
 */
export async function expectNoFork(instance: Instance, client: Client): Promise<void> {
  for (const chain of CHAINS) {
    const { verifier_key } = dataOf(await client.get(`/log/${chain}`), Log);
    const hashes = await storedHashes(instance, client, chain);
    let before: StoredCheckpoint | undefined;
    for (const checkpoint of await storedCheckpoints(instance, client, chain)) {
      const { size, root, note } = checkpoint;
      expect(rootOf(hashes.slice(0, size)).toString('hex')).toBe(root.toString('hex'));
      const opened = await openCheckpoint(note, parseVerifierKey(verifier_key), verify);
      expect(opened).toMatchObject({ size, root: new Uint8Array(root) });
      if (before !== undefined) await expectConsistent(client, chain, before, checkpoint);
      before = checkpoint;
    }
  }
  const signed = await activityOf(client, 'checkpoint.signed');
  const decisions = await storedCheckpoints(instance, client, 'decisions');
  expect(signed.map(({ data }) => [data?.size, data?.root])).toEqual(
    decisions.map(({ size, root }) => [size, root.toString('base64')]),
  );
  const last = (await storedCheckpoints(instance, client, 'activity')).at(-1);
  expect(last?.size).toBeGreaterThanOrEqual(signed.at(-1)?.seq ?? 0);
}

async function expectConsistent(
  client: Client,
  chain: Chain,
  before: StoredCheckpoint,
  after: StoredCheckpoint,
): Promise<void> {
  const path = `/log/${chain}/consistency?first=${before.size}&second=${after.size}`;
  const { proof } = dataOf(await client.get(path), Consistency);
  checkConsistency({
    first: before.size,
    second: after.size,
    firstRoot: before.root,
    secondRoot: after.root,
    proof: proof.map((hash) => Buffer.from(hash, 'base64')),
  });
}
