import { setImmediate } from 'node:timers/promises';
import { checker } from '@decision-ledger/contract/validation';
import { GateError, parseJsonPartly } from '@decision-ledger/proof/gate';
import { Type } from 'typebox';
import type { Outbound, OutboundAnswer } from '../../../../../platform/outbound.js';
import { ConnectorError, callSystem } from '../call.js';

const WHO = 'Stripe';
const ADDRESS = 'https://api.stripe.com';
/** The shapes of objects depend on it, whatever the account uses. */
const VERSION = '2025-09-30.clover';
/** The most that Stripe answers. */
const PAGE = 100;

/** Each item is checked by itself, so that one that cannot be read stops no other. */
const List = Type.Object({
  object: Type.Literal('list'),
  has_more: Type.Boolean(),
  data: Type.Array(Type.Unknown()),
});
const checkList = checker(List, 'answer');
const isRead = (path: readonly (string | number)[]) => path.length < 2;

/** What a list is restricted to, and the objects in it that are sent whole. */
interface ListQuery {
  /** Seconds. */
  readonly createdFrom?: number;
  readonly payout?: string;
  readonly expand?: string;
}

export interface StripePage {
  /** Newest first. */
  readonly items: readonly unknown[];
  readonly hasMore: boolean;
}

export interface StripeApi {
  /**
   * A page of a list.
   * @param after the id of the last object of the page before; null for the first page
   * @throws ConnectorError
   */
  list(
    path: 'balance_transactions' | 'payouts',
    query: ListQuery,
    after: string | null,
  ): Promise<StripePage>;
}

/** @param key restricted key: it is sent as a header, and no error names it */
export function createStripeApi(
  outbound: Outbound,
  { api_key, api_url = ADDRESS }: { readonly api_key: string; readonly api_url?: string },
): StripeApi {
  return {
    async list(path, query, after) {
      const answer = await callSystem(outbound, WHO, {
        method: 'GET',
        url: addressOf(api_url, path, query, after),
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${api_key}`,
          'stripe-version': VERSION,
        },
      });
      if (answer.status !== 200) throw refusal(path, answer);
      const { data, has_more } = await readList(answer.body);
      return { items: data, hasMore: has_more };
    },
  };
}

function addressOf(
  base: string,
  path: string,
  { createdFrom, payout, expand }: ListQuery,
  after: string | null,
): string {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/${path}`;
  url.searchParams.set('limit', String(PAGE));
  if (createdFrom !== undefined) url.searchParams.set('created[gte]', String(createdFrom));
  if (payout !== undefined) url.searchParams.set('payout', payout);
  if (expand !== undefined) url.searchParams.set('expand[]', expand);
  if (after !== null) url.searchParams.set('starting_after', after);
  return url.href;
}

async function readList(body: string) {
  try {
    return checkList(await parseJsonPartly(body, isRead, setImmediate));
  } catch (cause) {
    if (cause instanceof GateError && cause.kind !== 'syntax') throw cause;
    const message = `${WHO} sent an answer that is incomplete or no list; the poll is retried`;
    throw new ConnectorError(message, { isTemporary: true });
  }
}

const REMEDIES: ReadonlyMap<number, string> = new Map([
  [401, 'it knows no such API key: make a restricted key, and enter it in the connection'],
  [
    403,
    'the API key may not read this: give it read access to balance transactions and payouts, and to charges, ' +
      'refunds and disputes',
  ],
]);

/** Messages of Stripe may contain a part of the key: only the code of an error is named. */
function refusal(path: string, { status, body }: OutboundAnswer): ConnectorError {
  const remedy = REMEDIES.get(status) ?? codeIn(body);
  return new ConnectorError(`${WHO} refused the list of ${path} (${status}): ${remedy}`, {
    isTemporary: false,
  });
}

function codeIn(body: string): string {
  const code = /"code": ?"([a-z_]{1,60})"/.exec(body)?.[1];
  return code === undefined ? 'check that api_url is the address of its API' : code;
}

/** A member of an object as Stripe sent it; undefined if it has none. */
export function memberOf(item: unknown, name: string): unknown {
  return typeof item === 'object' && item !== null ? Reflect.get(item, name) : undefined;
}
