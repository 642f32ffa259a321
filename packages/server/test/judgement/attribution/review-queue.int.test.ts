import { KeyPage } from '@decision-ledger/contract/access';
import { ActivityChainVerification, ActivityPage } from '@decision-ledger/contract/chain';
import { DecisionInDetail } from '@decision-ledger/contract/decision-view';
import { type Link, LinkPage } from '@decision-ledger/contract/link';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataOf } from '../../support/client.js';
import { openTestService, type TestService } from '../../support/service.js';
import {
  at,
  type Desk,
  onlySuggestion,
  openDesk,
  scoreOf,
  strongest,
} from '../../support/suggestions-desk.js';

const COUNT = 12;
const AMOUNTS = ['5.00', '90000.00', '400.00', '0.00'];

/** The delay that the reviews of the first tests teach. */
const USUAL_HOURS = 70;

const amountOf = (index: number) => AMOUNTS[index % AMOUNTS.length] ?? '1.00';

/** The value of a review: highest if the model is unsure and the amount is large. */
function priorityOf({ correlation_strength: strength }: Link, amount: string): number {
  return 4 * strength * (1 - strength) * (1 + Math.log10(1 + Number(amount)));
}

describe('Review queue', () => {
  let test: TestService;
  let desk: Desk;
  const amounts = new Map<string, string>();

  beforeAll(async () => {
    test = await openTestService('embedded');
    desk = await openDesk(test);
    // Links stay suggested, whatever the reviews say of the others.
    await desk.set({ suggest_recorded: 0 });
    const names = Array.from({ length: COUNT }, (_none, index) => `ORD-${100 + index}`);
    await desk.decide(...names.map((order) => ({ metadata: { order_id: order } })));
    for (const [index, order] of names.entries()) {
      const metadata = { order_id: order };
      const event = { metadata, timestamp: at(1 + 12 * index), amount: amountOf(index) };
      amounts.set(await desk.happen(event), amountOf(index));
    }
    await desk.look();
  });
  afterAll(() => test.close());

  const pageOf = async (limit: number, cursor: string | null) => {
    const more = cursor === null ? '' : `&cursor=${cursor}`;
    const answer = await desk.client.get(`/links?status=ML_SUGGESTED&limit=${limit}${more}`);
    return dataOf(answer, LinkPage);
  };

  it('The queue starts with uncertain links of large amounts', async () => {
    const { links } = await pageOf(500, null);
    expect(links).toHaveLength(COUNT);
    const priorities = links.map((link) =>
      priorityOf(link, amounts.get(link.financial_event_id) ?? ''),
    );
    expect(priorities).toEqual([...priorities].sort((a, b) => b - a));
    expect(new Set(priorities).size).toBeGreaterThan(COUNT / 2);
    // With deleted links it is a plain list, not a queue.
    const answer = await desk.client.get('/links?status=ML_SUGGESTED&include_deleted=true');
    const times = dataOf(answer, LinkPage).links.map(({ created_at }) => created_at);
    expect(times).toEqual([...times].sort().reverse());
  });

  it('The queue is paged without gaps or repeats while links are reviewed', async () => {
    const { links: all } = await pageOf(500, null);
    const seen: Link[] = [];
    let cursor: string | null = null;
    do {
      const page: LinkPage = await pageOf(3, cursor);
      seen.push(...page.links);
      for (const [index, { id }] of page.links.slice(0, 2).entries()) {
        await desk.review(id, index === 0 ? 'confirm' : 'reject');
      }
      await desk.look();
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    const { links: left } = await pageOf(500, null);
    expect(left).toHaveLength(COUNT / 3);
  });

  it('The queue shows the evidence for a link step by step, and the other links of its event', async () => {
    const metadata = { order_id: 'ORD-900' };
    // A ledger without reviews, which would move the shares.
    const fresh = await openDesk(test);
    await fresh.set({ suggest_share: 0.05 });
    await fresh.decide({ metadata, agent_id: 'a' }, { metadata, agent_id: 'b' });
    const event = await fresh.happen({ metadata });
    await fresh.look();
    const [first, second] = await fresh.suggested(event);
    const detail = await fresh.read(first?.id ?? '');
    expect(detail.other_links).toEqual([second]);
    const steps = detail.waterfall ?? [];
    const { evidence, share, none_share } = scoreOf(detail);
    expect(Object.fromEntries(steps.map((step) => [step.evidence, step.log_odds]))).toEqual(
      evidence,
    );
    expect(steps[0]?.evidence).toBe('base');
    let sum = 0;
    for (const step of steps) {
      sum += step.log_odds;
      expect(step.probability).toBeCloseTo(1 / (1 + Math.exp(-sum)), 10);
    }
    expect(sum).toBeCloseTo(Math.log(share / none_share), 3);
    await fresh.review(second?.id ?? '', 'reject');
    expect((await fresh.read(first?.id ?? '')).other_links).toEqual([]);
  });

  it('A decision is returned with its current links, newest first', async () => {
    const [id = ''] = await desk.decide({ agent_id: 'c', metadata: { order_id: 'ORD-950' } });
    const metadata = { order_id: 'ORD-950' };
    const event = await desk.happen({ metadata, timestamp: at(USUAL_HOURS) });
    await desk.look();
    const suggested = await onlySuggestion(desk, event);
    const made = await desk.link(id, event, { link_type: 'saving', correlation_strength: 0.1 });
    const gone = await desk.link(id, await desk.happen());
    await desk.remove(gone.id);
    const read = async () => dataOf(await desk.client.get(`/decisions/${id}`), DecisionInDetail);
    expect((await read()).links).toEqual([made, suggested]);
    // A decision that was linked by hand is no longer suggested for that event.
    await desk.look();
    expect((await read()).links).toEqual([made]);
    const [none = ''] = await desk.decide({});
    const answer = dataOf(await desk.client.get(`/decisions/${none}`), DecisionInDetail);
    expect(answer.links).toEqual([]);
  });

  it('Suggestions and reviews are recorded with their actor in a chain that verifies', async () => {
    const [key] = dataOf(await desk.client.get('/keys'), KeyPage).keys;
    const tell = async (id: string) => {
      const answer = await desk.client.get(`/activity?subject=${id}`);
      const { activity } = dataOf(answer, ActivityPage);
      return activity.map(({ type, actor }) => [type, actor]).reverse();
    };
    // All decisions first: a later one would have earlier events scored again.
    const names = ['ORD-960', 'ORD-961', 'ORD-962'];
    await desk.decide(...names.map((order) => ({ metadata: { order_id: order } })));
    const suggest = async (order = '') => {
      const metadata = { order_id: order };
      const event = await desk.happen({ metadata, timestamp: at(USUAL_HOURS) });
      await desk.look();
      return (await strongest(desk, event)).id;
    };
    const [confirmed, rejected] = [await suggest(names[0]), await suggest(names[1])];
    await desk.review(confirmed, 'confirm');
    await desk.review(rejected, 'reject');
    await desk.remove(rejected);
    const deleted = await suggest(names[2]);
    await desk.remove(deleted);
    const suggested = ['link.suggested', 'engine'];
    const taken = ['link.deleted', key?.key_id];
    expect(await tell(confirmed)).toEqual([suggested, ['link.confirmed', key?.key_id]]);
    expect(await tell(rejected)).toEqual([suggested, ['link.rejected', key?.key_id], taken]);
    expect(await tell(deleted)).toEqual([suggested, taken]);
    const answer = await desk.client.get('/activity/chain/verify');
    expect(dataOf(answer, ActivityChainVerification).is_valid).toBe(true);
  });

  it('No content of decisions and events is stored for the queue', async () => {
    const values = ['jane.doe@example.com', 'DE89370400440532013000', 'PASSPORT-C01X00T47'];
    const [email, iban, passport] = values;
    await desk.decide({
      metadata: { email, order_id: 'ORD-970' },
      inputs: { iban },
      outputs: { passport },
    });
    const event = await desk.happen({
      metadata: { email, iban, passport, order_id: 'ORD-970' },
      description: values.join(' '),
      external_id: passport,
    });
    await desk.look();
    await desk.review((await strongest(desk, event)).id, 'confirm');
    const [row] = await test.service.db.query<{ kept: string }>(sql`
      select concat((select json_agg(f) from decision_features f),
        (select string_agg(encode(features, 'escape'), ' ') from decision_features),
        (select json_agg(f) from token_frequencies f), (select json_agg(s) from attribution_states s),
        (select json_agg(r) from link_reviews r), (select json_agg(p) from agent_patterns p),
        (select json_agg(l) from links l)) as kept`);
    const kept = row?.kept.toLowerCase() ?? '';
    const activity = JSON.stringify(await desk.activity()).toLowerCase();
    expect(activity).toContain('"link.confirmed"');
    expect(kept).toContain('"verdict":"confirmed"');
    for (const value of [...values, 'ORD-970'].map((one) => one.toLowerCase())) {
      for (const form of [value, Buffer.from(value).toString('hex')]) {
        expect(kept).not.toContain(form);
        expect(activity).not.toContain(form);
      }
    }
  });
});
