import { query } from './sql.js';

/**
 * Inserts financial events and as many links directly into the tables. Each link joins one event to one
 * decision, evenly distributed. Half are confirmed; a tenth of them are losses.
 * @param {string} url of the database
 * @param {number} count
 */
export async function fillLinks(url, count) {
  await query(
    url,
    `create temp table pairs as
       select n, gen_random_uuid() as event_id, gen_random_uuid() as link_id, d.ledger_id, d.seq,
         d.decision_id, d.agent_id, d.action_type, d."timestamp" + interval '1 hour' as happened,
         (10 + n % 500)::numeric as amount, n % 10 = 0 as is_loss, n % 2 = 0 as is_confirmed
       from generate_series(1, $1) n
       join decisions d on d.seq = n * (select max(seq) from decisions) / $1;
     `.replaceAll('$1', String(count)) + INSERTS,
  );
}

const INSERTS = `
  insert into financial_events (ledger_id, event_id, source, event_type, amount, currency,
      "timestamp", created_at, counted_amount)
    select ledger_id, event_id, 'bench', case when is_loss then 'dispute_loss' else 'payment' end,
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
