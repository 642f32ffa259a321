import { AttributionQuality } from '@decision-ledger/contract/analytics-quality';
import { ReviewPage } from '@decision-ledger/contract/review';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idToUuid } from '#server/platform/ids';
import { dataOf, expectRefusal } from '../../support/client.js';
import { asOwner } from '../../support/owner.js';
import { openTestService, type TestService } from '../../support/service.js';
import { type Desk, openDesk } from '../../support/suggestions-desk.js';

let test: TestService;
let desk: Desk;

beforeAll(async () => {
  test = await openTestService('embedded');
});
afterAll(() => test.close());

/** An event of the test, its stratum, and who caused it. */
interface Happened {
  readonly event: string;
  readonly stratum: string;
  /** Null for no recorded decision. */
  readonly cause: string | null;
}

const MONTHS = { '2026-09': 38, '2026-10': 32 } as const;

/** Events of two months: most follow a decision about the same order, some name the wrong order. */
async function fill(): Promise<Happened[]> {
  const months = Object.entries(MONTHS).flatMap(([month, count]) => Array(count).fill(month));
  const decisions: string[] = [];
  for (let first = 0; first < months.length; first += 40) {
    const orders = months.slice(first, first + 40).map((_month, index) => first + index);
    const own = orders.map((order) => ({ metadata: { order_id: `ORD-${7000 + order}` } }));
    decisions.push(...(await desk.decide(...own)));
  }
  const happened: Happened[] = [];
  for (const [index, month] of months.entries()) {
    const [source, amount, band] = (
      [
        ['shop', '5.00', 0],
        ['shop', '50.00', 1],
        ['shop', '52.00', 1],
        ['bank', '500.00', 2],
      ] as const
    )[index % 4] ?? ['shop', '5.00', 0];
    const metadata = index % 6 === 5 ? {} : { order_id: `ORD-${7000 + index}` };
    const event = await desk.happen({ source, amount, metadata });
    const causes = { 0: null, 3: decisions[(index + 1) % decisions.length] };
    const other = Object.entries(causes).find(([rest]) => index % 11 === Number(rest));
    const cause = (other === undefined ? decisions[index] : other[1]) ?? null;
    happened.push({ event, stratum: `${month} ${source} ${band}`, cause });
  }
  for (const month of Object.keys(MONTHS)) {
    const own = happened.filter(({ stratum }) => stratum.startsWith(month));
    await asOwner(
      test,
      `update financial_events set created_at = '${month}-10T00:00:00Z'
        where event_id = any($1::uuid[])`,
      [own.map(({ event }) => idToUuid('evt', event))],
    );
  }
  await desk.look();
  return happened;
}

const audited = async () => {
  const answer = await desk.client.get('/reviews?kind=audit&limit=500');
  return dataOf(answer, ReviewPage).reviews.map(({ financial_event }) => financial_event.id);
};

const read = async (query = '') =>
  dataOf(await desk.client.get(`/analytics/attribution-quality${query}`), AttributionQuality);

/** Own arithmetic: Wilson on the effective number of units. */
function expected(units: readonly { weight: number; right: number }[]) {
  const all = units.reduce((sum, { weight }) => sum + weight, 0);
  const p = units.reduce((sum, { weight, right }) => sum + weight * right, 0) / all;
  const squares = units.reduce((sum, { weight }) => sum + weight * weight, 0);
  const spread = units.reduce((sum, { weight, right }) => sum + (weight * (right - p)) ** 2, 0);
  const kish = (all * all) / squares;
  const n = spread === 0 ? kish : Math.min(kish, (p * (1 - p) * all * all) / spread);
  const z = 1.959963984540054;
  // The ends solve (p − x)² = z² x (1 − x) ÷ n.
  const [a, b, c] = [1 + z ** 2 / n, -(2 * p + z ** 2 / n), p ** 2];
  const root = Math.sqrt(b * b - 4 * a * c);
  return { value: p, low: (-b - root) / (2 * a), high: (-b + root) / (2 * a), units: units.length };
}

describe('Audited quality of attribution', () => {
  it('Figures follow from the audits, the suggestions shown and the answers, weighted by stratum', async () => {
    desk = await openDesk(test);
    const happened = await fill();
    const suggested = new Map<string, { decision: string; isMatched: boolean }[]>();
    for (const { financial_event_id: event, decision_id, label } of await desk.links()) {
      const one = { decision: decision_id, isMatched: label === 'matched' };
      suggested.set(event, [...(suggested.get(event) ?? []), one]);
    }
    const drawn = new Set(await audited());
    const sizes = new Map<string, number>();
    for (const { stratum } of happened) sizes.set(stratum, (sizes.get(stratum) ?? 0) + 1);

    const answered: Happened[] = [];
    let skipped = 0;
    for (const one of happened.filter(({ event }) => drawn.has(event))) {
      const isLate = one.stratum.startsWith('2026-10') && answered.length >= 38;
      if (isLate) continue;
      const body = one.cause === null ? { none: true } : { decision_id: one.cause };
      const isSkipped = one.stratum === '2026-10 shop 1' && skipped === 0;
      skipped += isSkipped ? 1 : 0;
      const answer = await desk.client.post(
        `/reviews/${one.event}`,
        isSkipped ? { skip: true } : body,
      );
      expect(answer.status, answer.text).toBe(200);
      if (!isSkipped) answered.push(one);
    }
    const before = await read();
    await desk.look();
    const quality = await read();
    const { as_of: _, activity_seq: _seq, label: _label, by_month: _months, ...figures } = before;
    expect(quality).toMatchObject(figures);

    const answersIn = new Map<string, number>();
    for (const { stratum } of answered) answersIn.set(stratum, (answersIn.get(stratum) ?? 0) + 1);
    const judged = answered.map(({ event, stratum, cause }) => {
      const weight = (sizes.get(stratum) ?? 0) / (answersIn.get(stratum) ?? 1);
      const links = suggested.get(event) ?? [];
      return { weight, cause, links };
    });
    const units = judged.flatMap(({ weight, cause, links }) =>
      links.map(({ decision, isMatched }) => ({
        ...{ weight, isMatched },
        right: decision === cause ? 1 : 0,
      })),
    );
    const caused = (isCounted: (isMatched: boolean) => boolean) =>
      judged.flatMap(({ weight, cause, links }) => {
        const found = links.some((one) => one.decision === cause && isCounted(one.isMatched));
        return cause === null ? [] : [{ weight, right: found ? 1 : 0 }];
      });
    expect(quality).toMatchObject({
      ...{ audits: drawn.size, answered: answered.length, skipped: 1, reason: null },
      unanswered: drawn.size - answered.length - 1,
    });
    const near = (figure: object | null, own: ReturnType<typeof expected>) => {
      expect(figure).not.toBeNull();
      for (const [name, value] of Object.entries(own)) {
        const [, actual] = Object.entries(figure ?? {}).find(([key]) => key === name) ?? [];
        expect(actual, name).toBeCloseTo(value, 9);
      }
    };
    expect(units.filter(({ right }) => right === 0).length).toBeGreaterThan(2);
    near(quality.precision.matched, expected(units.filter(({ isMatched }) => isMatched)));
    near(quality.precision.suggested, expected(units));
    near(quality.recall.matched, expected(caused((isMatched) => isMatched)));
    near(quality.recall.suggested, expected(caused(() => true)));
    expect(quality.calibration?.suggestions).toBe(units.length);
    expect(quality.calibration?.observed).toBeCloseTo(quality.precision.suggested?.value ?? 0, 9);
    expect(quality.calibration?.bins.reduce((sum, bin) => sum + bin.units, 0)).toBe(units.length);

    const [september, october] = quality.by_month;
    expect(quality.by_month.map(({ month }) => month)).toEqual(['2026-09', '2026-10']);
    expect(september).toMatchObject({ reason: null, unanswered: 0, skipped: 0 });
    expect(october).toMatchObject({ reason: 'too_few_answers', skipped: 1 });
    expect((september?.audits ?? 0) + (october?.audits ?? 0)).toBe(drawn.size);
    const { by_month, ...own } = await read('?start=2026-09-01&end=2026-09-30');
    expect(by_month.map((month) => ({ ...month, month: '' }))).toEqual([
      { ...september, month: '' },
    ]);
    const { month: _month, drift: _drift, ...alone } = september ?? {};
    expect(own).toMatchObject(alone);
    expect((await read('?start=2026-11-01')).by_month).toEqual([]);
  });

  it('A withdrawn answer counts no more, and a deleted event is no audit', async () => {
    const before = await read();
    const [first] = await desk.links('&status=ML_INFERRED');
    if (first === undefined) throw new Error('nothing was confirmed');
    await desk.remove(first.id);
    expect(await read()).toMatchObject({
      answered: before.answered - 1,
      unanswered: before.unanswered + 1,
    });
    await desk.client.delete(`/financial-events/${first.financial_event_id}`);
    expect((await read()).audits).toBe(before.audits - 1);
  });

  it('The figures are available as a table', async () => {
    const answer = await desk.client.get('/analytics/attribution-quality?format=csv');
    expect(answer.status).toBe(200);
    expect(answer.header('content-type')).toMatch(/^text\/csv/);
    const [head, ...lines] = answer.text.trim().split('\r\n');
    expect(head).toBe(
      'section,month,figure,value,low,high,units,effective_units,reason,as_of,activity_seq',
    );
    const { precision, answered } = await read();
    const own = (figure: string) =>
      lines.find((line) => line.startsWith(`total,,${figure},`))?.split(',');
    expect(own('answered')?.[3]).toBe(String(answered));
    expect(Number(own('precision.matched')?.[3])).toBe(precision.matched?.value);
    expect(Number(own('precision.matched')?.[4])).toBe(precision.matched?.low);
    expect(lines.filter((line) => line.startsWith('month,2026-10,')).length).toBeGreaterThan(5);
  });

  it('A ledger without audits has counts of zero and no figures', async () => {
    const other = await openDesk(test);
    const answer = await other.client.get('/analytics/attribution-quality');
    expect(dataOf(answer, AttributionQuality)).toMatchObject({
      ...{ audits: 0, answered: 0, represented: null, reason: 'too_few_answers', by_month: [] },
      precision: { matched: null, suggested: null },
    });
    const refused = await other.client.get('/analytics/attribution-quality?start=soon');
    expectRefusal(refused, 'validation_error', 'start');
    const [row] = await test.service.db.query<{ count: number }>(sql`
      select count(*) as count from event_scores
      where ledger_id = ${other.scope.ledgerId} and audit_probability is not null`);
    expect(row?.count).toBe(0);
  });
});
