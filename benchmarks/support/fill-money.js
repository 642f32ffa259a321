const CONNECTIONS = 8;

/**
 * Records financial events, each linked to one of the newest decisions.
 * @param {{ url: string }} service
 * @param {string} key
 * @param {number} count
 */
export async function fillMoney({ url }, key, count) {
  const api = `${url}/api/v1`;
  const decisions = await newest(api, key, count);
  let made = 0;
  const work = async () => {
    while (made < count) {
      const n = made++;
      const event = await post(`${api}/financial-events`, key, {
        ...{ source: 'bench', event_type: 'payment', amount: `${10 + (n % 500)}.50` },
        ...{ currency: 'USD', external_id: `order-${n}` },
        timestamp: new Date(Date.now() - n * 1000).toISOString(),
      });
      await post(`${api}/links`, key, {
        ...{ decision_id: decisions[n % decisions.length], financial_event_id: event.id },
        ...{ correlation_strength: 0.9, link_type: 'revenue', attribution_method: 'manual' },
      });
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
}

/**
 * @param {string} api
 * @param {string} key
 * @param {number} count
 * @returns {Promise<string[]>}
 */
async function newest(api, key, count) {
  /** @type {string[]} */
  const ids = [];
  let cursor = '';
  while (ids.length < count) {
    const answer = await fetch(`${api}/decisions?limit=500${cursor}`, {
      headers: { 'x-ledger-key': key },
    });
    const { data } = await answer.json();
    for (const { decision_id } of data.decisions) ids.push(decision_id);
    if (data.next_cursor === null) break;
    cursor = `&cursor=${encodeURIComponent(data.next_cursor)}`;
  }
  return ids.slice(0, count);
}

/**
 * @param {string} url
 * @param {string} key
 * @param {object} body
 */
async function post(url, key, body) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'x-ledger-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()).data;
}
