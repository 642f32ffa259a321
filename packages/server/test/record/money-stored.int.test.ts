import { Pnl } from '@decision-ledger/contract/analytics';
import { CURRENCIES } from '@decision-ledger/contract/currency';
import {
  FinancialEvent,
  FinancialEventPage,
  RelatedEvent,
} from '@decision-ledger/contract/financial-event';
import { Link, LinkInDetail, LinkPage } from '@decision-ledger/contract/link';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { parseJson } from '@decision-ledger/proof/gate';
import fc from 'fast-check';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idToUuid } from '#server/platform/ids';
import { json, text } from '../../../proof/test/support/arbitraries.js';
import { canonicalize } from '../../../proof/test/support/oracle.js';
import { runs } from '../../../proof/test/support/runs.js';
import { dataOf, expectRefusal } from '../support/client.js';
import { bodyText, FIELD_BYTES, nested, sized } from '../support/decision-text.js';
import { event, link, recordDecision, recordEvent } from '../support/money.js';
import { type Organisation, openTestService, type TestService } from '../support/service.js';

let bed: TestService;
let org: Organisation;

beforeAll(async () => {
  bed = await openTestService('embedded');
  org = await bed.organisation();
});
afterAll(() => bed.close());

const digits = (most: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${most}}$`));

/** Every amount of the grammar. */
const amount = fc
  .record({
    minus: fc.boolean(),
    whole: fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9][0-9]{0,19}$/)),
    behind: fc.option(digits(12)),
  })
  .filter(({ minus, whole, behind }) => !minus || /[1-9]/.test(whole + (behind ?? '')))
  .map(
    ({ minus, whole, behind }) =>
      `${minus ? '-' : ''}${whole}${behind === null ? '' : `.${behind}`}`,
  );

const name = text.filter((characters) => characters.length > 0);

const body = fc.record(
  {
    source: name,
    event_type: name,
    amount,
    currency: fc.constantFrom(...CURRENCIES.keys()),
    external_id: name,
    timestamp: fc
      .integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 })
      .map(formatTimestamp),
    description: text,
    metadata: fc.dictionary(text, json, { maxKeys: 6, noNullPrototype: true }),
  },
  { requiredKeys: ['source', 'event_type', 'amount', 'currency', 'timestamp'] },
);

const read = async (id: string) =>
  dataOf(await org.live.get(`/financial-events/${id}`), RelatedEvent);

describe('Financial events', () => {
  it('A financial event comes back as it was sent, byte for byte in canonical form', async () => {
    await fc.assert(
      fc.asyncProperty(body, async (sent) => {
        const made = await recordEvent(org.live, sent);
        const { id, created_at } = made;
        const whole = { ...sent, id, created_at, deleted_at: null };
        expect(canonicalize(made)).toBe(canonicalize(whole));
        const answer = await org.live.get(`/financial-events/${id}`);
        const shown = dataOf(answer, RelatedEvent);
        const movement = { lead: id, reports: [id], relations: [], parts: null };
        const alone = { ...whole, movement, kind: shown.kind, standing: 'counted' };
        expect(canonicalize(shown)).toBe(canonicalize(alone));
        expect(answer.text).toContain(`"amount":"${sent.amount}"`);
      }),
      { seed: 2026, numRuns: 200 },
    );
  });

  it('A financial event is the same in the list as alone', async () => {
    const answer = await org.live.get('/financial-events?limit=500');
    const { financial_events } = dataOf(answer, FinancialEventPage);
    expect(financial_events.length).toBeGreaterThan(100);
    for (const listed of financial_events.slice(0, 40)) {
      const { movement, ...alone } = await read(listed.id);
      const { relations, parts, ...own } = movement;
      expect([relations, parts]).toEqual([[], null]);
      expect(canonicalize(listed)).toBe(canonicalize({ ...alone, movement: own }));
    }
  });

  it.for([
    ...['0', '0.00', '0.000000000000', '1250.00', '1250', '1250.0', '-1250.00', '-0.10'],
    ...['0.000000000001', '-0.000000000001', '12345678901234567890', '-12345678901234567890'],
    ...[
      '99999999999999999999.999999999999',
      '10000000000000000000.000000000001',
      '9007199254740993',
    ],
    ...['0.1', '100.10', '1000000.000000'],
  ])('The amount %s is kept digit for digit, also in the table', async (written) => {
    const { id } = await recordEvent(org.live, { amount: written });
    expect((await read(id)).amount).toBe(written);
    const rows = await bed.service.db.query<{ amount: string }>(sql`
      select amount::text as amount from financial_events where event_id = ${idToUuid('evt', id)}`);
    expect(rows).toEqual([{ amount: written }]);
  });

  it.for([
    ['HRK', '2023-01-14T23:59:59.999Z', '2023-01-15T00:00:00.000Z', '2023-01-14', 'EUR'],
    ['BGN', '2026-01-31T23:59:59.999Z', '2026-02-01T00:00:00.000Z', '2026-01-31', 'EUR'],
    ['TRL', '2005-12-31T23:59:59.999Z', '2006-01-01T00:00:00.000Z', '2005-12-31', 'TRY'],
  ])(
    'An amount in %s is recorded until %s; later, the answer names the last day and the successor',
    async ([currency, last, later, lastDay, successor]) => {
      const { id } = await recordEvent(org.live, { currency, timestamp: last });
      expect(await read(id)).toMatchObject({ currency, amount: '1250.00' });
      const refused = await org.live.post(
        '/financial-events',
        event({ currency, timestamp: later }),
      );
      expectRefusal(refused, 'validation_error', 'currency');
      expect(refused.text).toContain(
        `${currency} was in use until ${lastDay}: use ${successor} after that day`,
      );
    },
  );

  it('A rate of a withdrawn currency converts the money of its time', async () => {
    const { live } = await bed.organisation();
    await recordEvent(live, {
      currency: 'HRK',
      amount: '75.345',
      timestamp: '2022-12-30T09:00:00Z',
    });
    const rate = { from: 'HRK', to: 'EUR', date: '2022-01-01', rate: '0.132723' };
    const patch = { base_currency: 'EUR', exchange_rates: [rate] };
    expect((await live.patch('/settings', patch)).status).toBe(200);
    const pnl = dataOf(await live.get('/analytics/ai-pnl?start=2022-12-01&end=2022-12-31'), Pnl);
    expect(pnl).toMatchObject({ currency: 'EUR', total: '10.00' });
  });

  it.for([
    ['2026-04-16T09:30:00+02:00', '2026-04-16T07:30:00.000Z'],
    ['2026-04-16T09:29:59.9999999Z', '2026-04-16T09:29:59.999Z'],
    ['2024-02-29t23:59:59z', '2024-02-29T23:59:59.000Z'],
    ['0001-01-01T00:00:00.001Z', '0001-01-01T00:00:00.001Z'],
    ['1582-10-10T00:00:00Z', '1582-10-10T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])(
    'A financial event dated %s is stored with the timestamp %s',
    async ([timestamp = '', stored]) => {
      const made = await recordEvent(org.live, { timestamp });
      expect(made.timestamp).toBe(stored);
      expect((await read(made.id)).timestamp).toBe(stored);
      const found = await org.live.get(`/financial-events?start=${stored}&limit=500`);
      const ids = dataOf(found, FinancialEventPage).financial_events.map(({ id }) => id);
      expect(ids).toContain(made.id);
      const earlier = await org.live.get(`/financial-events?end=${stored}&limit=500`);
      expect(earlier.text).not.toContain(made.id);
    },
  );

  it.for([
    ...['0.1', '1e-7', '5e-324', '-0', '0.30000000000000004', '9007199254740991', '1E2', '1.50'],
    ...['"\\u00e9\\ud83d\\ude00"', '"e\\u0301"', '"\\u2028"', '"\\/"', '[]', '{}', 'null', '""'],
  ])('The metadata value %s keeps its meaning', async (written) => {
    const metadata = `{"b":${written},"a":1}`;
    const sent = bodyText({ metadata }, event());
    const { id } = dataOf(await org.live.post('/financial-events', sent), FinancialEvent, 201);
    const answer = await org.live.get(`/financial-events/${id}`);
    expect(answer.text).toContain(`"metadata":${canonicalize(parseJson(metadata))}`);
  });

  it.for([
    ['of 256 KiB', { metadata: sized(FIELD_BYTES) }],
    ['64 deep', { metadata: nested(64) }],
    ['that is empty', { metadata: '{}' }],
    ['with names of JavaScript', { metadata: '{"constructor":{"prototype":1},"toString":2}' }],
  ] as const)('A financial event may have metadata %s', async ([, fields]) => {
    const sent = bodyText(fields, event());
    const { id } = dataOf(await org.live.post('/financial-events', sent), FinancialEvent, 201);
    expect(canonicalize((await read(id)).metadata)).toBe(canonicalize(JSON.parse(fields.metadata)));
  });

  it('Texts of a financial event may have their maximum length, also outside the BMP', async () => {
    const fields = {
      ...{ source: '😀'.repeat(200), event_type: 'x'.repeat(200), external_id: 'é'.repeat(200) },
      description: '😀'.repeat(1000),
    };
    expect(await read((await recordEvent(org.live, fields)).id)).toMatchObject(fields);
  });

  it('Omitted fields of a financial event stay distinct from empty ones', async () => {
    const empty = { description: '', metadata: {} };
    expect(await read((await recordEvent(org.live, empty)).id)).toMatchObject(empty);
    const names = Object.keys(await read((await recordEvent(org.live)).id));
    for (const absent of ['description', 'metadata', 'external_id', 'supersedes']) {
      expect(names).not.toContain(absent);
    }
  });
});

describe('Links', () => {
  it('A link comes back as it was sent', async () => {
    const decisionId = await recordDecision(org.live);
    const fields = fc.record(
      {
        correlation_strength: fc.oneof(
          fc.double({ min: 0, max: 1, noNaN: true }),
          fc.constantFrom(0, 1, 0.1, 5e-324, 1e-7, 1 - 2 ** -53),
        ),
        link_type: fc.constantFrom('revenue', 'cost', 'loss', 'refund', 'saving'),
        attribution_method: fc.constantFrom('direct', 'manual'),
        notes: text,
      },
      { requiredKeys: ['correlation_strength', 'link_type', 'attribution_method'] },
    );
    await fc.assert(
      fc.asyncProperty(fields, async (sent) => {
        const { id: eventId } = await recordEvent(org.live);
        const answer = await org.live.post('/links', link(decisionId, eventId, sent));
        const made = dataOf(answer, Link, 201);
        const strength = sent.correlation_strength + 0;
        expect(made).toEqual({
          ...{ ...sent, correlation_strength: strength },
          ...{ decision_id: decisionId, financial_event_id: eventId, status: 'CONFIRMED' },
          ...{ id: made.id, deleted_at: null, reversal: false, label: 'confirmed' },
          created_by: expect.stringMatching(/^key_/),
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        });
        const alone = dataOf(await org.live.get(`/links/${made.id}`), LinkInDetail);
        expect(alone).toEqual({ ...made, other_links: [], other_links_next_cursor: null });
        const query = `financial_event_id=${eventId}&min_strength=${strength}`;
        expect(dataOf(await org.live.get(`/links?${query}`), LinkPage).links).toEqual([made]);
      }),
      { seed: 2026, numRuns: runs(100) },
    );
  });

  it('A link may have notes of 2,000 characters', async () => {
    const notes = '😀'.repeat(2000);
    const body = link(await recordDecision(org.live), (await recordEvent(org.live)).id, { notes });
    expect(dataOf(await org.live.post('/links', body), Link, 201).notes).toBe(notes);
  });
});
