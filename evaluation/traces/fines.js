// Road traffic fines of an Italian municipality: what it demanded, and who paid when.
import { readFileSync } from 'node:fs';
import { createRandom } from '../random.js';
import { decimal } from '../worlds/money.js';
import { digits, hex } from '../worlds/noise.js';

const SEED = 157;
const [FROM, TO] = [Date.UTC(2006, 5, 1), Date.UTC(2007, 6, 1)];
const UNRECORDED = 0.24;
const PENALTY_LOST = 0.03;
const CHANNELS = [...Array(6).fill('post-giro'), ...Array(3).fill('bank'), 'cash-desk'];
/** The activities in the order in which those of one day happened. */
const ACTIVITIES = [
  ...['Create Fine', 'Send Fine', 'Insert Fine Notification', 'Insert Date Appeal to Prefecture'],
  ...['Add penalty', 'Send Appeal to Prefecture', 'Receive Result Appeal from Prefecture'],
  ...['Notify Result Appeal to Offender', 'Appeal to Judge', 'Payment'],
  'Send for Credit Collection',
];
/** Those that change what is due, and so may cause a payment. */
const DEMANDS = ['Create Fine', 'Send Fine', 'Add penalty'];
const ALTERNATIVES = {
  'Create Fine': 'dismiss',
  'Send Appeal to Prefecture': 'dismiss',
  'Add penalty': 'write_off',
  'Send for Credit Collection': 'write_off',
};
const COLUMNS = [
  ...['case_id', 'activity', 'resource', 'timestamp', 'amount', 'article', 'dismissal', 'expense'],
  ...['lastsent', 'notificationtype', 'points', 'totalpaymentamount', 'vehicleclass'],
];
const CELL = /,(?:"((?:[^"]|"")*)"|([^,]*))/g;

/**
 * @param {string} path of the CSV file, with timestamps in seconds
 * @returns {import('./convert.js').Trace}
 */
export function fines(path) {
  const random = createRandom(SEED);
  const trace = { decisions: [], events: [] };
  for (const rows of readCases(path).values()) {
    const created = rows.find(({ activity }) => activity === 'Create Fine');
    if (created === undefined || created.time < FROM || created.time >= TO) continue;
    const isUnrecorded = random.chance(UNRECORDED);
    const isPenaltyLost = random.chance(PENALTY_LOST);
    const { decisions, events } = follow(random, created, rows);
    trace.events.push(...events);
    if (isUnrecorded) continue;
    const isRecorded = ({ body }) => !isPenaltyLost || body.action_type !== 'add_penalty';
    trace.decisions.push(...decisions.filter(isRecorded));
  }
  return trace;
}

/** The decisions and payments of one fine. */
function follow(random, created, rows) {
  const decisions = [];
  const events = [];
  const demands = [];
  const sums = { fine: 0, expense: 0, paid: 0 };
  const due = () => sums.fine + sums.expense - sums.paid;
  for (const row of rows) {
    if (row.activity === 'Payment') {
      const paid = centsOf(row, 'totalpaymentamount') - sums.paid;
      sums.paid += Math.max(0, paid);
      if (paid > 0)
        events.push(paymentOf(random, { row, created, paid, cause: pays(demands, paid) }));
      continue;
    }
    if (row.activity === 'Create Fine' || row.activity === 'Add penalty') {
      sums.fine = centsOf(row, 'amount');
    }
    if (row.activity === 'Send Fine') sums.expense = centsOf(row, 'expense');
    const action = row.activity.toLowerCase().replaceAll(' ', '_');
    const ref = `${row.case_id}-${action}-${decisions.length + 1}`;
    if (DEMANDS.includes(row.activity)) demands.push({ ref, due: due() });
    decisions.push(decisionOf(row, { ref, action, due: due() }));
  }
  return { decisions, events };
}

/** The log does not say what a payment pays: the latest demand of just that sum, else the latest. */
function pays(demands, paid) {
  return (demands.findLast(({ due }) => due === paid) ?? demands.at(-1))?.ref ?? null;
}

function decisionOf(row, { ref, action, due }) {
  const alternative = ALTERNATIVES[row.activity];
  return {
    ref,
    time: row.time,
    body: {
      agent_id: row.resource === '' ? 'fines-office' : `police-officer/${row.resource}`,
      action_type: action,
      inputs: { arguments: argumentsOf(row) },
      outputs: { amount_due: due / 100, failed: false },
      metadata: {
        case_id: row.case_id,
        ...(row.activity === 'Create Fine' ? { officer: row.resource } : {}),
      },
      alternatives: alternative === undefined ? [] : [{ action_type: alternative }],
      confidence: 1,
      human_in_loop: true,
    },
  };
}

function argumentsOf(row) {
  const dismissal = ['', 'NIL'].includes(row.dismissal) ? {} : { dismissal: row.dismissal };
  const amount = centsOf(row, 'amount') / 100;
  switch (row.activity) {
    case 'Create Fine': {
      const [article] = row.article.split('.');
      const points = Number(row.points);
      return { article, vehicle_class: row.vehicleclass, amount, points, ...dismissal };
    }
    case 'Send Fine':
      return { expense: centsOf(row, 'expense') / 100, ...dismissal };
    case 'Add penalty':
      return { amount, ...dismissal };
    case 'Insert Fine Notification':
      return { notification_type: row.notificationtype, last_sent: row.lastsent, ...dismissal };
    default:
      return dismissal;
  }
}

function paymentOf(random, { row, created, paid, cause }) {
  const metadata = {};
  const draw = random.next();
  if (draw < 0.62) metadata.fine_id = row.case_id;
  else if (draw < 0.7) {
    metadata.causale = `verbale ${row.case_id} art. ${created.article.split('.')[0]}`;
  }
  if (random.chance(0.25)) metadata.vehicle_class = created.vehicleclass;
  metadata.slip = digits(random, 18);
  return {
    cause,
    time: row.time,
    body: {
      source: random.pick(CHANNELS),
      event_type: 'payment',
      metadata,
      external_id: `pp-${hex(random, 11)}`,
      amount: decimal(paid),
      currency: 'EUR',
    },
  };
}

/** The rows of each fine, in order of time. @param {string} path */
function readCases(path) {
  const [header, ...lines] = readFileSync(path, 'utf8').split(/\r?\n/);
  const columns = cellsOf(header);
  const missing = COLUMNS.find((column) => !columns.includes(column));
  if (missing !== undefined) throw new Error(`${path} has no column ${missing}`);
  const cases = new Map();
  for (const [at, line] of lines.entries()) {
    if (line === '') continue;
    const cells = cellsOf(line);
    const row = Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']));
    row.time = 1000 * Number(row.timestamp);
    if (!(row.time > 0) || !ACTIVITIES.includes(row.activity)) {
      throw new Error(`${path}, line ${at + 2}: a timestamp in seconds and an activity are needed`);
    }
    if (!cases.has(row.case_id)) cases.set(row.case_id, []);
    cases.get(row.case_id).push(row);
  }
  for (const rows of cases.values()) {
    rows.sort((a, b) => a.time - b.time || rankOf(a) - rankOf(b));
  }
  return cases;
}

const rankOf = ({ activity }) => ACTIVITIES.indexOf(activity);

/** The cells of a line; R writes NA where a value is missing. */
function cellsOf(line) {
  return [...`,${line}`.matchAll(CELL)].map(([, quoted, plain]) =>
    quoted === undefined ? plain.replace(/^NA$/, '') : quoted.replaceAll('""', '"'),
  );
}

/** @throws Error if the cell holds no number */
function centsOf(row, column) {
  const cents = Math.round(100 * Number(row[column]));
  if (Number.isNaN(cents)) throw new Error(`${row.case_id}: ${row[column]} is no ${column}`);
  return cents;
}
