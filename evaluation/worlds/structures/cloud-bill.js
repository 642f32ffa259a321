// The cloud provider bills by month; an invoice line belongs to the size that was in force in its period.
import { decimal } from '../money.js';
import { digits, runNoise, sourceNoise } from '../noise.js';
import { DAY, HOUR, officeTime } from '../time.js';

const SERVICES = ['checkout', 'search', 'ledger', 'media', 'auth', 'reports'];
/** Cents for an hour. */
const INSTANCES = { 'm6i.2xlarge': 38.4, 'c7g.4xlarge': 57.8, 'r6i.xlarge': 25.2 };
const MONTH = 30 * DAY;
const ASIDE = ['investigate_alert', 'recommend_rightsizing', 'open_incident'];

export const cloudBill = {
  prepare: ({ random, size }) => ({
    span: Math.max(6, Math.ceil(size / 60)) * MONTH,
    account: digits(random, 12),
  }),
  stories: { cluster },
};

/** The sizes of one cluster over five months, and the lines that bill them. */
function cluster(context) {
  const { random, span } = context;
  const one = {
    name: `${random.pick(SERVICES)}-${random.code(5).toLowerCase()}`,
    region: random.pick(['eu-west-1', 'us-east-1']),
  };
  const from = officeTime(random, span - 5 * MONTH);
  const until = from + 5 * MONTH;
  // Before the first decision, people set the size.
  let size = { cause: null, since: from - 12 * DAY, nodes: 3, type: 'm6i.2xlarge' };
  for (let time = from; time < until; time += random.logNormal(14, 0.7) * DAY) {
    const next = { nodes: 2 + random.below(14), type: random.pick(Object.keys(INSTANCES)) };
    if (random.chance(0.2)) resize(context, one, next, { time: time - HOUR, isFailed: true });
    const cause = resize(context, one, next, { time, isFailed: false });
    bill(context, one, size, time);
    size = { ...next, cause, since: time };
    for (let left = random.geometric(0.8); left > 0; left--) {
      aside(context, one, time + random.next() * 12 * DAY);
    }
  }
  bill(context, one, size, until);
  if (random.chance(0.4)) commitment(context, one, from + random.next() * MONTH);
  if (random.chance(0.4)) outage(context, one, from + random.next() * 4 * MONTH);
}

function resize({ world, random, account }, one, { nodes, type }, { time, isFailed }) {
  const arn = `arn:aws:eks:${one.region}:${account}:nodegroup/${one.name}`;
  return world.decide({
    agent: `autoscaler-${1 + random.below(3)}`,
    action: random.pick(['apply_node_count', 'apply_node_count', 'change_instance_type']),
    time,
    isHidden: !isFailed && random.chance(0.05),
    holds: [one.name],
    metadata: { ...runNoise(random), account },
    inputs: { target: arn, cpu_p95: random.below(100), policy: 'cost-guard' },
    outputs: isFailed
      ? { status: 'failed', error: 'InsufficientInstanceCapacity' }
      : {
          status: 'applied',
          nodes,
          instance_type: type,
          est_hourly_usd: Math.round(nodes * INSTANCES[type] * 10) / 1000,
        },
  });
}

/** A look at the cluster, or a proposal, which changes nothing. */
function aside({ world, random, account }, one, time) {
  const proposed = 2 + random.below(14);
  world.decide({
    agent: `sre-copilot-${1 + random.below(2)}`,
    action: random.pick(ASIDE),
    time,
    holds: [one.name],
    metadata: { ...runNoise(random), account },
    inputs: {
      question: `Why is ${one.name} slow?`,
      dashboard: `https://grafana.example.com/d/${one.name}`,
    },
    outputs: { proposal: { nodes: proposed, est_hourly_usd: Math.round(proposed * 384) / 1000 } },
  });
}

/** One line for each calendar month in which the size was in force. */
function bill(context, one, { cause, since, nodes, type }, until) {
  const { random } = context;
  for (let start = since; start < until; ) {
    const [month, end] = [monthOf(start), Math.min(until, monthOf(start, 1))];
    const hours = Math.max(1, Math.round((end - start) / HOUR)) * nodes;
    line(context, {
      month,
      type: 'Usage',
      amount: -Math.round(hours * INSTANCES[type] * 0.93),
      cause,
      holds: [one.name],
      details: {
        resource_id: random.chance(0.5) ? `nodegroup/${one.name}` : one.name,
        usage_type: `BoxUsage:${type}`,
        usage_start: hourOf(start),
        usage_end: hourOf(end),
        usage_amount: hours,
      },
    });
    start = end;
  }
}

/** A reservation bought once and billed each month for a year. */
function commitment(context, one, time) {
  const { world, random, account } = context;
  const plan = `sp-${random.code(12).toLowerCase()}`;
  const fee = 20_000 + random.below(80_000);
  const cause = world.decide({
    agent: 'finops-1',
    action: 'buy_savings_plan',
    time,
    isHidden: random.chance(0.05),
    holds: [plan, one.name],
    metadata: { ...runNoise(random), account },
    inputs: { covers: [one.name, `${random.pick(SERVICES)}-fleet`], term: '1yr' },
    outputs: {
      purchase: { plan_arn: `arn:aws:savingsplans::${account}:${plan}` },
      monthly: decimal(fee),
    },
  });
  for (let at = 0; at < 4; at++) {
    const details = { savings_plan: plan, description: 'Recurring fee' };
    line(context, {
      month: monthOf(time, at),
      type: 'RecurringFee',
      amount: -fee,
      cause,
      holds: [plan],
      details,
    });
  }
}

/** A credit by the provider for its own outage: nobody decided it. */
function outage(context, one, time) {
  const amount = 2000 + context.random.below(30_000);
  const details = { resource_id: one.name, description: 'SLA credit' };
  line(context, {
    month: monthOf(time),
    type: 'Credit',
    amount,
    cause: null,
    holds: [one.name],
    details,
  });
}

/** Invoices are dated the third of the next month, early in the morning. */
function line({ world, random, account }, { month, type, amount, cause, holds, details }) {
  const time = monthOf(month, 1) + 2 * DAY + 5.5 * HOUR;
  world.event({
    type,
    id: `li-${random.code(16).toLowerCase()}`,
    amount,
    time,
    recorded: time + HOUR * (1 + random.below(20)),
    cause,
    metadata: { ...sourceNoise(random), payer_account: account, line_item: details },
    holds,
  });
}

/** Usage is measured in whole hours. */
const hourOf = (time) => new Date(Math.floor(time / HOUR) * HOUR).toISOString();

/** The start of the month of a time, or of a later one. */
function monthOf(time, later = 0) {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1);
}
