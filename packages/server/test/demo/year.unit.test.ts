import { DecisionBody } from '@decision-ledger/contract/decision';
import { FinancialEventBody } from '@decision-ledger/contract/financial-event';
import { DEFAULT_SETTINGS } from '@decision-ledger/contract/settings';
import { AGENTS, OVERCONFIDENT } from '@decision-ledger/demo/agents/registry';
import { EXPERIMENT } from '@decision-ledger/demo/agents/retention';
import { makeRates } from '@decision-ledger/demo/rates';
import { type Act, makeYear, YEAR_MS } from '@decision-ledger/demo/year';
import { Big } from 'big.js';
import { Check } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { classifyEvent } from '#server/domains/record/money-signs/rules/signs';

const END = Date.UTC(2026, 10, 20, 12);
const OPTIONS = { seed: 'a seed', end: END, cases: 19_000 };
const year = makeYear(OPTIONS);

const actsOf = <Kind extends Act['kind']>(kind: Kind) =>
  year.acts.filter((act): act is Extract<Act, { readonly kind: Kind }> => act.kind === kind);
const [decisions, events, erasures] = [actsOf('decision'), actsOf('event'), actsOf('erasure')];
const byRef = new Map(decisions.map((decision) => [decision.ref, decision]));
const members = (name: string) => decisions.map(({ body }) => body.metadata?.[name]);

describe('The year of the demo', () => {
  it('Gives the same bytes for the same seed and other ones for another', () => {
    const small = { ...OPTIONS, cases: 300 };
    const bytes = JSON.stringify(makeYear(small));
    expect(JSON.stringify(makeYear(small))).toBe(bytes);
    expect(JSON.stringify(makeYear({ ...small, seed: 'another' }))).not.toBe(bytes);
  });

  it('Has about 20,000 decisions of all agents and fits the schemas of the API', () => {
    expect(year.decisions).toBe(decisions.length);
    expect(decisions.length).toBeGreaterThan(19_000);
    expect(decisions.length).toBeLessThan(21_000);
    expect(new Set(decisions.map(({ body }) => body.agent_id))).toEqual(
      new Set(Object.keys(AGENTS)),
    );
    expect(decisions.filter(({ body }) => !Check(DecisionBody, body))).toEqual([]);
    expect(events.filter(({ body }) => !Check(FinancialEventBody, body))).toEqual([]);
  });

  it('Is in order of recording and lies within its 365 days', () => {
    expect(year.start).toBe(END - YEAR_MS);
    const times = year.acts.map(({ at }) => at);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times[0]).toBeGreaterThanOrEqual(year.start);
    expect(times.at(-1)).toBeLessThan(END);
    const happened = [...decisions, ...events].map(({ at, body }) => [
      Date.parse(body.timestamp ?? ''),
      at,
    ]);
    expect(happened.filter(([then = 0, recorded = 0]) => then > recorded)).toEqual([]);
  });

  it('Names a decision that was recorded before as the cause of each event that has one', () => {
    const caused = events.filter(({ cause }) => cause !== null);
    const wrong = caused.filter(({ at, cause }) => (byRef.get(cause ?? -1)?.at ?? END) > at);
    expect(wrong).toEqual([]);
    expect(caused.length).toBeGreaterThan(2500);
    expect(events.length - caused.length).toBeGreaterThan(200);
  });

  it('Moves no more money back to a customer than the decision says', () => {
    const refunds = events.filter(({ body }) => body.event_type === 'refund');
    const stated = refunds.map(({ body, cause }) => {
      const outputs = byRef.get(cause ?? -1)?.body.outputs ?? {};
      return new Big(body.amount).plus(String(outputs.refund_amount)).toString();
    });
    expect(refunds.length).toBeGreaterThan(500);
    expect(new Set(stated)).toEqual(new Set(['0']));
  });

  it('Has partial refunds, disputes lost and won, and denied and failed decisions', () => {
    const outputs = decisions.map(({ body }) => body.outputs);
    expect(outputs.filter(({ note }) => String(note).startsWith('Part of')).length).toBeGreaterThan(
      50,
    );
    expect(outputs.filter(({ approved }) => approved === false).length).toBeGreaterThan(500);
    expect(outputs.filter(({ status }) => status === 'failed').length).toBeGreaterThan(30);
    const types = new Set(events.map(({ body }) => body.event_type));
    for (const type of ['chargeback', 'dispute_won', 'write_off', 'write_off_recovery', 'refund']) {
      expect(types).toContain(type);
    }
  });

  it('Has money of every kind', () => {
    const kinds = events.map(({ body }) => {
      const { link_type, reversal } = classifyEvent(DEFAULT_SETTINGS.attribution, body);
      return `${link_type}${reversal ? ' reversed' : ''}`;
    });
    expect(new Set(kinds)).toEqual(
      new Set(['revenue', 'cost', 'cost reversed', 'refund', 'loss', 'loss reversed']),
    );
  });

  it('Has several currencies with a rate of each month, and one without a rate', () => {
    const rates = makeRates(OPTIONS.seed, year.start, year.end);
    const used = new Set(events.map(({ body }) => body.currency));
    expect(used).toEqual(new Set(['EUR', 'USD', 'GBP', 'CHF', 'SEK', 'PLN', 'NOK']));
    expect(new Set(rates.map(({ from }) => from))).toEqual(
      new Set(['USD', 'GBP', 'CHF', 'SEK', 'PLN']),
    );
    expect(rates.length).toBe(5 * 13);
    expect(Date.parse(rates[0]?.date ?? '')).toBeLessThanOrEqual(year.start);
  });

  it('Has versions, human approvals, an experiment with three arms, and erasures', () => {
    expect(new Set(members('version')).size).toBeGreaterThan(15);
    expect(members('version')).not.toContain(undefined);
    expect(members('reviewer_id').filter((name) => name !== undefined).length).toBeGreaterThan(200);
    const marks = members('experiment').filter((mark) => mark !== undefined);
    expect(new Set(marks.map((mark) => JSON.stringify(mark)))).toHaveLength(3);
    expect(JSON.stringify(marks[0])).toContain(EXPERIMENT);
    expect(erasures.length).toBeGreaterThan(5);
    expect(erasures.filter(({ at, ref }) => (byRef.get(ref)?.at ?? END) > at)).toEqual([]);
  });

  it('Has one agent that is far too sure of itself', () => {
    const overconfidence = (agent: string) => {
      const own = decisions.filter(({ body }) => body.agent_id === agent);
      const lost = new Set(
        events
          .filter(({ body }) => /penalty|chargeback|write_off$|loss/.test(body.event_type))
          .map(({ cause }) => cause),
      );
      const mean = own.reduce((sum, { body }) => sum + body.confidence, 0) / own.length;
      const success = own.filter(({ ref }) => !lost.has(ref)).length / own.length;
      return mean - success;
    };
    expect(overconfidence(OVERCONFIDENT)).toBeGreaterThan(0.12);
    const others = Object.keys(AGENTS).filter((agent) => agent !== OVERCONFIDENT);
    for (const agent of others) expect(overconfidence(agent), agent).toBeLessThan(0.02);
  });
});
