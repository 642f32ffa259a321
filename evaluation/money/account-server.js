import { createServer } from 'node:http';

/** A restricted key of the account. */
export const RESTRICTED = 'rk_live_evaluationOfMoney';

/**
 * The read part of Stripe's API that needs a restricted key, on a socket of its own.
 * @param {Pick<import('./balance.js').Account, 'transactions' | 'payouts' | 'objects' | 'contents'>} account
 */
export async function startAccount({ transactions, payouts, objects, contents }) {
  let now = 0;
  const lists = {
    '/v1/payouts': newestFirst(payouts),
    '/v1/balance_transactions': newestFirst(transactions),
  };
  const payoutOf = new Map(
    [...contents].flatMap(([payout, ids]) => ids.map((id) => /** @type {const} */ ([id, payout]))),
  );
  const answer = (url) => {
    const asked = url.searchParams;
    const list = lists[url.pathname];
    if (list === undefined)
      return [404, { error: { code: 'resource_missing', message: url.pathname } }];
    const [from, of] = [Number(asked.get('created[gte]') ?? 0), asked.get('payout')];
    const found = list.filter(
      ({ id, created }) =>
        created >= from && created <= now && (of === null || payoutOf.get(id) === of),
    );
    const after = asked.get('starting_after');
    const place = after === null ? 0 : found.findIndex(({ id }) => id === after) + 1;
    const end = place + Number(asked.get('limit') ?? 10);
    const isWhole = asked.getAll('expand[]').includes('data.source');
    const whole = (item) =>
      isWhole ? { ...item, source: objects.get(item.source) ?? item.source } : item;
    const data = found.slice(place, end).map(whole);
    return [200, { object: 'list', url: url.pathname, has_more: end < found.length, data }];
  };
  const server = createServer((request, response) => {
    const isAllowed = request.headers.authorization === `Bearer ${RESTRICTED}`;
    const [status, body] = isAllowed
      ? answer(new URL(request.url ?? '/', 'http://stripe'))
      : [401, { error: { message: 'Invalid API Key provided' } }];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    /** What happened later is not there yet. @param {number} time */
    setTime(time) {
      now = Math.floor(time / 1000);
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

/** Of one second, the later one first. */
function newestFirst(list) {
  return list
    .map((item, at) => ({ item, at }))
    .sort((one, other) => other.item.created - one.item.created || other.at - one.at)
    .map(({ item }) => item);
}
