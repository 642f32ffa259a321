import { DecisionChainVerification } from '@decision-ledger/contract/chain';
import { success } from '@decision-ledger/contract/shared';
import type pg from 'pg';
import type { Static } from 'typebox';
import { Check } from 'typebox/value';
import { expect } from 'vitest';
import type { Caller } from './caller.js';
import type { Journal } from './load.js';
import { chainFaults, loadFaults, readStoredChain, type StoredChain } from './stored-chain.js';

export type ChainVerification = Static<typeof DecisionChainVerification>;

/** @param query such as `?expect_seq=…` */
export async function verifyOverHttp(caller: Caller, query = ''): Promise<ChainVerification> {
  const { status, body } = await caller.call('GET', `/api/v1/decisions/chain/verify${query}`);
  if (status !== 200 || !Check(success(DecisionChainVerification), body)) {
    throw new Error(`the verification answered ${status}: ${JSON.stringify(body)}`);
  }
  return body.data;
}

/**
 * Expects the service to report a valid chain that reaches at least the last acknowledged record.
 */
export async function expectValid(caller: Caller, journal: Journal): Promise<ChainVerification> {
  const { last } = journal;
  const query = last === undefined ? '' : `?expect_seq=${last.seq}&expect_hash=${last.hash}`;
  const verification = await verifyOverHttp(caller, query);
  expect(verification).toMatchObject({ is_valid: true, first_broken_link: null });
  return verification;
}

/** Expects every acknowledged order to be stored, according to the service and to plain SQL. */
export async function expectKept(
  connection: pg.ClientConfig,
  caller: Caller,
  journal: Journal,
): Promise<StoredChain> {
  const chain = await readStoredChain(connection);
  expect(chainFaults(chain).slice(0, 10)).toEqual([]);
  expect(loadFaults(chain, journal).slice(0, 10)).toEqual([]);
  const verification = await expectValid(caller, journal);
  expect(verification).toMatchObject({ records_checked: chain.decisions.length, head: chain.head });
  return chain;
}
