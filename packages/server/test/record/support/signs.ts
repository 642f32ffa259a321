import { ActivityPage } from '@decision-ledger/contract/chain';
import { Link, LinkPage } from '@decision-ledger/contract/link';
import sql from 'sql-template-tag';
import { writeSuggestions } from '#server/domains/record/links/index';
import { idToUuid } from '#server/platform/ids';
import { dataOf } from '../../support/client.js';
import { SCORE } from '../../support/link-score.js';
import { link, recordDecision } from '../../support/money.js';
import { scopeOf, type TestService } from '../../support/service.js';

export type Fields = Readonly<Record<string, unknown>>;

interface Wanted {
  readonly strength: number;
  readonly linkType: Link['link_type'];
  readonly reversal?: boolean;
  readonly label?: 'matched' | 'guessed';
}

/** A new ledger, with the actions of tests on signs. */
export async function openSigns(bed: TestService) {
  const { live } = await bed.organisation();
  const scope = await scopeOf(bed, live);
  const post = async (eventId: string, fields: Fields) =>
    live.post('/links', link(await recordDecision(live), eventId, fields));

  const create = async (eventId: string, fields: Fields): Promise<Link> =>
    dataOf(await post(eventId, fields), Link, 201);

  /** Suggests links as the engine does, each for a new decision. */
  async function suggest(eventId: string, ...wanted: readonly Wanted[]): Promise<Link[]> {
    const suggested = [];
    for (const one of wanted) {
      const decisionId = idToUuid('dec', await recordDecision(live)) ?? '';
      suggested.push({
        ...{ reversal: false, label: 'guessed' as const, reviewPriority: 0.5, ...one, decisionId },
        score: { ...SCORE },
      });
    }
    const event = { eventId: idToUuid('evt', eventId) ?? '', suggested };
    await bed.service.db
      .ledger(scope)
      .write((tx) => writeSuggestions(tx, bed.service.hooks, [event]));
    const query = `/links?financial_event_id=${eventId}&status=ML_SUGGESTED`;
    return [...dataOf(await live.get(query), LinkPage).links].sort((a, b) =>
      a.id < b.id ? -1 : 1,
    );
  }

  const confirm = (id: string, body: Fields | '' = '') => live.post(`/links/${id}/confirm`, body);

  /** What the event counts as, and its parts in the order of their links. */
  async function money(eventId: string) {
    const uuid = idToUuid('evt', eventId);
    const [counted] = await bed.service.db.query<{ amount: string; waits: boolean }>(sql`
      select counted_amount::text as amount, exists (select from due_work w
          where w.follower = 'suggestions' and w.subject = e.event_id) as waits
      from financial_events e where event_id = ${uuid}`);
    const parts = await bed.service.db.query<{ label: string; amount: string }>(sql`
      select label, amount::text as amount from link_allocations
      where event_id = ${uuid} order by link_id`);
    return {
      counted: counted?.amount,
      waits: counted?.waits,
      parts: parts.map(({ label, amount }) => `${label} ${Number(amount)}`),
    };
  }

  const lastActivity = async () =>
    dataOf(await live.get('/activity?limit=1'), ActivityPage).activity[0];

  return { live, scope, post, create, suggest, confirm, money, lastActivity };
}
