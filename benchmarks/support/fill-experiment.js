import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import copyStreams from 'pg-copy-streams';
import { metadataTerm } from '../../packages/server/dist/domains/record/decisions/index.js';
import { query, withClient } from './sql.js';

const DAY_MS = 24 * 3_600_000;
/** When, in days before now, the first decision of the history and of the experiment, and its last one, were made. */
const DAYS = { history: 100, assignments: 80, end: 35 };
const ROWS_PER_PIECE = 500;

/**
 * @typedef {object} ExperimentSizes
 * @property {number} history decisions before the experiment
 * @property {number} assignments
 * @property {number} customers who make both, in turn
 */

/**
 * Writes an experiment of two arms and what came before it into the tables: the API would take several
 * minutes. The rows are as long as those of an airline's agent. Their hashes are no chain.
 * @param {string} databaseUrl
 * @param {string} name of the organisation
 * @param {ExperimentSizes} sizes
 */
export async function fillExperiment(databaseUrl, name, sizes) {
  await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query(
      `select l.ledger_id from ledgers l join organisations o using (org_id)
       where o.name = $1 and l.mode = 'live'`,
      [name],
    );
    const ledgerId = String(rows[0].ledger_id);
    const target = client.query(
      copyStreams.from(`copy decisions (ledger_id, seq, epoch, decision_id, agent_id, action_type,
        confidence, human_in_loop, "timestamp", created_at, entry, hash, prev_hash, inputs, outputs,
        metadata, terms, estimate_snapshot) from stdin`),
    );
    await pipeline(Readable.from(pieces(ledgerId, sizes)), target);
  });
  await query(
    databaseUrl,
    `insert into experiment_assignments
       (ledger_id, seq, experiment_id, arm, propensity, is_valid, "timestamp")
     select ledger_id, seq, 'bench', metadata::json #>> '{2,experiment,arm}', 0.5, true, "timestamp"
     from decisions where seq > ${sizes.history} order by seq`,
  );
}

/**
 * @param {string} ledgerId
 * @param {ExperimentSizes} sizes
 */
function* pieces(ledgerId, sizes) {
  const all = sizes.history + sizes.assignments;
  const end = Date.now();
  for (let start = 0; start < all; start += ROWS_PER_PIECE) {
    const lines = [];
    for (let index = start; index < Math.min(all, start + ROWS_PER_PIECE); index += 1) {
      lines.push(line(ledgerId, index, sizes, end));
    }
    yield `${lines.join('\n')}\n`;
  }
}

/**
 * @param {string} ledgerId
 * @param {number} index
 * @param {ExperimentSizes} sizes
 * @param {number} end ms
 */
function line(ledgerId, index, { history, assignments, customers }, end) {
  const place = index - history;
  const isAssigned = place >= 0;
  const done = isAssigned ? place / assignments : index / history;
  const [from, until] = isAssigned
    ? [DAYS.assignments, DAYS.end]
    : [DAYS.history, DAYS.assignments];
  const arm = (Math.imul(index, 0x9e3779b1) >>> 16) % 2 === 0 ? 'control' : 'bold';
  const named = { customer_id: `customer-${index % customers}`, order_id: `order-${index}` };
  const metadata = {
    conversation_id: `task-${index % 100}-trial-${index % 4}`,
    ...named,
    ...(isAssigned && { experiment: { arm, id: 'bench', propensity: 0.5 } }),
    reservation_id: `R${index % 7919}`,
  };
  const terms = Object.entries(named).map(([key, value]) =>
    metadataTerm(ledgerId, key, JSON.stringify(value)),
  );
  const at = new Date(end - (from - (from - until) * done) * DAY_MS).toISOString();
  return [
    ...[ledgerId, index + 1, 1, randomUUID(), 'agent', 'action', 0.5, 'f', at, at],
    ...['x'.repeat(600), digest(index + 1), digest(index), 'y'.repeat(300), 'z'.repeat(300)],
    ...[JSON.stringify(['salt', 'metadata', metadata]), `{${terms.join(',')}}`, 1],
  ].join('\t');
}

/** @param {number} seq */
function digest(seq) {
  return `\\\\x${createHash('sha256').update(String(seq)).digest('hex')}`;
}
