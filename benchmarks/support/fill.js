// Ways to fill a ledger before it is measured.
import { decisionStream } from './decisions.js';
import { BATCH, runLoad } from './load.js';
import { query } from './sql.js';

const CONNECTIONS = 8;

/**
 * Records decisions through the API, dated by the service.
 * @param {{ url: string }} service
 * @param {string} key
 * @param {number} count
 * @returns {Promise<number>} decisions per second
 */
export async function fill({ url }, key, count) {
  const amount = Math.ceil(count / BATCH);
  const connections = Math.min(CONNECTIONS, amount);
  const what = /** @type {const} */ ('batch');
  const load = await runLoad({ what, url, key, connections, amount, timestamps: false });
  return load.perSecond * BATCH;
}

/**
 * Records distinct decisions, and returns some of them.
 * @param {{ url: string }} service
 * @param {string} key
 * @param {number} count
 * @param {number} wanted how many to return, evenly spaced
 * @param {number} [spanMs] dates them evenly over this time before now; default: dated by the service
 * @param {number} [seed]
 * @returns {Promise<ReturnType<ReturnType<typeof decisionStream>>[]>}
 */
export async function fillDistinct({ url }, key, count, wanted, spanMs, seed = 7) {
  const next = decisionStream(seed);
  const end = Date.now();
  const dated = (/** @type {number} */ index) =>
    spanMs === undefined
      ? {}
      : { timestamp: new Date(end - spanMs * (1 - index / count)).toISOString() };
  const every = Math.max(1, Math.floor(count / wanted));
  const remembered = [];
  let made = 0;
  const send = async () => {
    while (made < count) {
      const decisions = [];
      while (decisions.length < BATCH && made < count) {
        const decision = { ...next(), ...dated(made) };
        if (made % every === 0 && remembered.length < wanted) remembered.push(decision);
        decisions.push(decision);
        made += 1;
      }
      await post(`${url}/api/v1/decisions/batch`, key, { decisions });
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  return remembered;
}

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
        source: 'bench',
        event_type: 'payment',
        amount: `${10 + (n % 500)}.50`,
        currency: 'USD',
        external_id: `order-${n}`,
        timestamp: new Date(Date.now() - n * 1000).toISOString(),
      });
      await post(`${api}/links`, key, {
        decision_id: decisions[n % decisions.length],
        financial_event_id: event.id,
        correlation_strength: 0.9,
        link_type: 'revenue',
        attribution_method: 'manual',
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

/**
 * Inserts financial events and as many links directly into the tables. Each link joins one event to one
 * decision, evenly distributed. Half are confirmed; a tenth of them are losses.
 * @param {string} url of the database
 * @param {string} name of the organisation
 * @param {number} count
 */
export async function fillLinks(url, name, count) {
  await query(
    url,
    `create temp table pairs as
       select n, gen_random_uuid() as event_id, gen_random_uuid() as link_id, d.ledger_id, d.seq,
         d.decision_id, d.agent_id, d.action_type, d."timestamp" + interval '1 hour' as happened,
         (10 + n % 500)::numeric as amount, n % 10 = 0 as is_loss, n % 2 = 0 as is_confirmed
       from (select l.ledger_id from ledgers l join organisations o using (org_id)
         where o.name = '${name}' and l.mode = 'live') l
       cross join generate_series(1, ${count}) n
       join decisions d on d.ledger_id = l.ledger_id and d.seq = n *
         (select max(seq) from decisions where ledger_id = l.ledger_id) / ${count};
     ${INSERTS}`,
  );
}

const INSERTS = `
  insert into financial_events (ledger_id, event_id, lead_id, source, event_type, amount, currency,
      "timestamp", created_at, counted_amount)
    select ledger_id, event_id, event_id, 'bench', case when is_loss then 'dispute_loss' else 'payment' end,
      amount, 'USD', happened, happened,
      case when is_loss and is_confirmed then -amount else amount end from pairs;
  insert into links (ledger_id, link_id, decision_id, event_id, correlation_strength, link_type,
      attribution_method, status, created_by, created_at)
    select ledger_id, link_id, decision_id, event_id, 0.9,
      case when is_loss then 'loss' else 'revenue' end, 'manual',
      case when is_confirmed then 'CONFIRMED' else 'ML_SUGGESTED' end, 'bench', happened from pairs;
  insert into link_allocations (ledger_id, link_id, event_id, decision_seq, agent_id, action_type,
      "timestamp", link_type, label, currency, share, amount)
    select ledger_id, link_id, event_id, seq, agent_id, action_type, happened,
      case when is_loss then 'loss' else 'revenue' end,
      case when is_confirmed then 'confirmed' else 'matched' end, 'USD', 0.9,
      0.9 * case when is_loss and is_confirmed then -amount else amount end from pairs;`;
