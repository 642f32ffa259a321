import {
  ActivityChainVerification,
  DecisionChainVerification,
} from '@decision-ledger/contract/chain';
import { DecisionReceipt } from '@decision-ledger/contract/decision';
import { Link } from '@decision-ledger/contract/link';
import type { StreamEvent } from '@decision-ledger/contract/stream';
import { Type } from 'typebox';
import { recordActivity } from '#server/domains/log/activity/index';
import { announce } from '#server/domains/log/announcements/index';
import type { Scope } from '#server/platform/principal';
import { type Client, dataOf, decision } from '../../../support/client.js';
import { askFor } from '../../../support/exports.js';
import { event, link, recordEvent, suggest } from '../../../support/money.js';
import { type Instance, type Organisation, scopeOf } from '../../../support/service.js';

const Anything = Type.Unknown();

/** Creates something of every type, in a ledger identified by its mark. */
export async function makeEverything(bed: Instance, client: Client, mark: string): Promise<void> {
  const scope = await scopeOf(bed, client);
  const secret = secretOf(mark);
  const ids: string[] = [];
  for (const n of [1, 2, 3]) {
    const body = decision({
      ...{ agent_id: mark, action_type: mark, inputs: { n, secret }, outputs: { secret } },
      ...{ alternatives: [{ secret }], metadata: { secret } },
    });
    ids.push(dataOf(await client.post('/decisions', body), DecisionReceipt, 201).decision_id);
  }
  const [first = '', second = ''] = ids;
  const fields = { source: mark, external_id: mark, metadata: { secret }, description: secret };
  const { id } = await recordEvent(client, event(fields));
  const notes = { notes: secret, link_type: 'loss', correlation_strength: 1 };
  const made = dataOf(await client.post('/links', link(first, id, notes)), Link, 201);
  for (const review of ['confirm', 'reject']) {
    const pair = { decision_id: second, financial_event_id: id };
    const other = await recordEvent(client, event({ ...fields, external_id: `${mark} ${review}` }));
    const suggested = await suggest(bed, scope, { ...pair, financial_event_id: other.id });
    await tellLink(bed, scope, suggested, 'suggested', { ...pair, status: 'ML_SUGGESTED' });
    dataOf(await client.post(`/links/${suggested}/${review}`, {}), Anything);
  }
  const taken = { decision_id: first, financial_event_id: id, status: 'INHERITED' };
  await tellLink(bed, scope, made.id, 'inherited', taken);
  const witness = await recordEvent(client, event({ ...fields, source: `${mark} till` }));
  dataOf(await client.post('/movements/pair', { reports: [id, witness.id] }), Anything);
  dataOf(await client.post('/movements/part', { report: witness.id }), Anything);
  dataOf(await client.delete(`/links/${made.id}`), Anything);
  dataOf(await client.delete(`/financial-events/${id}`), Anything);
  dataOf(await client.get('/decisions/chain/verify'), DecisionChainVerification);
  dataOf(await client.get('/activity/chain/verify'), ActivityChainVerification);
  await askFor(client);
}

/** Must be in no frame. */
export const secretOf = (mark: string): string => `payload-of-${mark}`;

/** Records that the engine made a link. */
async function tellLink(
  { service }: Instance,
  scope: Scope,
  subject: string,
  how: 'suggested' | 'inherited',
  data: { readonly [name: string]: string },
): Promise<void> {
  const time = '2026-04-16T09:00:00.000Z';
  const when = { event: time, decision: time };
  const type = `link.${how}` as const;
  const change = { type, actor: 'engine', subject, when, data } as const;
  await service.db.ledger(scope).write((tx) => recordActivity(tx, change));
}

/** Long announcements, a few of which fill the socket buffers of a connection. */
export async function announceLong(
  { service }: Instance,
  scope: Scope,
  count: number,
  chars: number,
): Promise<void> {
  const subject = 'exp_01kpat0fe0ec88qqtsarzj0nhh';
  for (let n = 0; n < count; n += 1) {
    const data = { export_id: subject, status: 'running' as const, filler: 'x'.repeat(chars) };
    await service.db
      .ledger(scope)
      .write((tx) =>
        announce(tx, [{ type: 'export.updated', subject, data }], service.clock.now()),
      );
  }
}

/** Limits that no stream test should reach. */
export async function liftExportLimit(org: Organisation): Promise<void> {
  await org.live.patch('/settings', { rate_limits: { exports_per_hour: 1000 } });
}

const LOG_OF = (type: string): string =>
  /^decision\./.test(type)
    ? 'decisions'
    : /^(link|financial_event)\./.test(type)
      ? 'activity'
      : 'announcements';

/** The sequence numbers of events by log, in order of arrival. */
export function seqsOf(events: readonly StreamEvent[]): Record<string, (number | null)[]> {
  const logs: Record<string, (number | null)[]> = {
    decisions: [],
    activity: [],
    announcements: [],
  };
  for (const { type, seq } of events) logs[LOG_OF(type)]?.push(seq);
  return logs;
}
