import type { JsonValue } from '@decision-ledger/proof/gate';
import { type Json, type Row, Story } from './story.js';

export const STATEMENT_AGENT = 'refund-bot';
const SALE = { source: 'shop', event_type: 'sale' };

/**
 * A ledger with a statement of each kind of row: shares of one event for two agents, another currency,
 * one without a rate, halves of a cent, and an earlier decision with a share.
 */
export function statementStory(story = new Story()): Story {
  story.act('key.issued', 'key_00000000000000000000000001', { name: 'first' });
  const own = [
    story.decide(),
    story.decide({ timestamp: '2025-12-01T00:00:00.000Z' }),
    story.decide(),
  ];
  const [a, early, b] = own.map(({ decision_id }) => String(decision_id));
  const other = String(story.decide({ agent: 'pricing-bot' }).decision_id);
  if (a === undefined || early === undefined || b === undefined) throw new Error('no decision');
  const sale = happen(story, '100.00', 'USD', 6);
  story.createLink(a, sale, { correlation_strength: 0.5, link_type: 'revenue' });
  const matched = { link_type: 'revenue', label: 'matched' };
  story.suggestLink(b, sale, 0.25, undefined, matched);
  story.createLink(other, sale, { correlation_strength: 0.25, link_type: 'revenue' });
  const loss = happen(story, '-30.01', 'EUR', 7);
  story.createLink(a, loss, { correlation_strength: 1, link_type: 'loss' });
  const unconverted = happen(story, '10', 'JPY', 8);
  story.createLink(early, unconverted, { correlation_strength: 1, link_type: 'saving' });
  for (const [day, link_type] of [
    [9, 'cost'],
    [10, 'refund'],
  ] as const) {
    const half = happen(story, '-0.01', 'USD', day);
    story.createLink(b, half, { correlation_strength: 0.5, link_type });
  }
  const gone = story.createLink(b, loss, { correlation_strength: 1, link_type: 'cost' });
  story.deleteLink(gone);
  return story;
}

function happen(story: Story, amount: string, currency: string, day: number): string {
  const timestamp = `2026-01-${String(day).padStart(2, '0')}T12:00:00.000Z`;
  return story.recordEvent({ ...SALE, amount, currency, timestamp });
}

/** Of each link with a row: counted amount, share, amount, rate and converted amount. */
const AMOUNTS = [
  ['100.00', '0.500000000000', '50.000000000000', '1', '50'],
  ['100.00', '0.250000000000', '25.000000000000', '1', '25'],
  ['-30.01', '1.000000000000', '-30.010000000000', '1.1', '-33.011'],
  ['10', '1.000000000000', '10.000000000000', null, null],
  ['-0.01', '0.500000000000', '-0.005000000000', '1', '-0.005'],
  ['-0.01', '0.500000000000', '-0.005000000000', '1', '-0.005'],
] as const;

const ESTIMATES = [
  ['12.500000', '33.011000'],
  ['0.005000', '0.000000'],
] as const;

const NOTHING = {
  revenue: '0.00',
  savings: '0.00',
  costs: '0.00',
  refunds: '0.00',
  losses: '0.00',
};

const FIGURES: Json = {
  confirmed: {
    ...{ revenue: '50.00', savings: '0.00', costs: '0.00', refunds: '-0.01', losses: '-33.01' },
    net: '16.98',
  },
  matched: { ...NOTHING, revenue: '25.00', net: '25.00' },
  guessed: { ...NOTHING, net: '0.00' },
  expected: {
    ...{ revenue: '75.00', savings: '0.00', costs: '0.00', refunds: '-0.01', losses: '-33.01' },
    net: '41.98',
  },
  interval: { low: '16.98', high: '66.98' },
  exposure: { expected: '12.50', p50: '11.00', var95: '40.00', realised: '33.01', decisions: 2 },
  by_currency: [
    ownBooks('EUR', 2, ['-30.01', '0.00', '0.00', '0.00']),
    ownBooks('JPY', 0, ['0', '0', '0', '10']),
    ownBooks('USD', 2, ['49.99', '25.00', '0.00', '0.00']),
  ],
};

function ownBooks(currency: string, digits: number, amounts: readonly string[]): Json {
  const [confirmed = '', matched = '', guessed = '', unconverted = ''] = amounts;
  return { currency, confirmed, matched, guessed, unconverted, digits };
}

/** statement.json of that ledger, and the subjects whose activity is disclosed with it. */
export function statementText(
  story: Story,
  range: { readonly start: string; readonly end: string },
  since: number,
): { readonly text: string; readonly ids: ReadonlySet<JsonValue | undefined> } {
  const decisions = story.decisions.map(({ row }) => row);
  const own = new Set(
    decisions.flatMap((row) => (row.agent_id === STATEMENT_AGENT ? [row.decision_id] : [])),
  );
  const links = [...story.links.values()].filter(
    ({ decision_id, deleted_at }) => own.has(decision_id) && deleted_at === null,
  );
  const money = links.map((link, at) => moneyRow(story, decisions, link, AMOUNTS[at] ?? []));
  const shown = decisions.filter(
    ({ agent_id, timestamp }) => agent_id === STATEMENT_AGENT && String(timestamp) >= range.start,
  );
  const estimates = shown.map((row, at) => estimateRow(row, ESTIMATES[at] ?? []));
  const point = (records: readonly { readonly seq: number; readonly hash: string }[]) => {
    const last = records.at(-1);
    return last === undefined ? null : { seq: last.seq, hash: last.hash };
  };
  const about: Json = {
    format: 'decision-ledger/statement/v1',
    description: 'What this is.',
    ...{ ledger: story.ledger, agent_id: STATEMENT_AGENT, range: { ...range } },
    as_of: '2026-04-16T09:29:00.000Z',
    chains: { decisions: point(story.decisions), activity: point(story.activity.slice(0, since)) },
    ...{ currency: 'USD', digits: 2, figures: FIGURES },
    exchange_rates: [{ from: 'EUR', to: 'USD', date: '2026-01-01', rate: '1.1' }],
    versions: {
      ...{ service: '0.1.0', liability: { version: 'liability/v1', snapshot: 1 } },
      ...{ settings_seq: null, attribution_seq: null },
    },
  };
  const head = `${JSON.stringify(about).slice(0, -1)},"rows":[`;
  const rows = [...money, ...estimates].map((row) => `\n${JSON.stringify(row)}`);
  const events = new Set(links.map(({ financial_event_id }) => financial_event_id));
  const ids = [...story.links.values()]
    .filter(({ financial_event_id }) => events.has(financial_event_id))
    .map(({ id }) => id);
  return { text: `${head}${rows.join(',')}\n]}\n`, ids: new Set([...events, ...ids]) };
}

function moneyRow(
  story: Story,
  decisions: readonly Row[],
  link: Row,
  [counted = '', share = '', amount = '', rate = null, converted = null]: readonly (
    | string
    | null
  )[],
): Row {
  const event = story.events.get(String(link.financial_event_id)) ?? {};
  const decision = decisions.find(({ decision_id }) => decision_id === link.decision_id) ?? {};
  const { timestamp = null, currency = null, amount: eventAmount = null } = event;
  const { id: link_id = null, link_type = null, label = 'confirmed' } = link;
  const { decision_id = null, seq = null, hash = null } = decision;
  return {
    ...{ row: 'money', financial_event_id: event.id ?? null, timestamp, currency },
    ...{ event_amount: eventAmount, counted_amount: counted, link_id, link_type, label },
    ...{ share, amount, rate, converted_amount: converted, decision_id, seq, hash },
  };
}

function estimateRow(decision: Row, [exposure = '', realised = '']: readonly string[]): Row {
  const { decision_id = null, timestamp = null, action_type = null } = decision;
  const { seq = null, hash = null } = decision;
  return {
    ...{ row: 'decision', decision_id, timestamp, action_type, exposure },
    ...{ low: '0.000000', high: exposure, realised, seq, hash },
  };
}
