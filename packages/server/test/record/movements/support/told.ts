import type { MoneyKind } from '@decision-ledger/contract/source-profiles';
import { expect } from 'vitest';
import { type Report, reportOf } from '#server/domains/record/movements/rules/report';
import { settle } from '#server/domains/record/movements/rules/same-money';

const DAY = 86_400_000;
export const BOOKS = 'accounting/main';

/** What a source says of money, and the settings of its kind. */
export interface Told {
  readonly kind?: MoneyKind;
  readonly day?: number;
  readonly external_id?: string;
  readonly description?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export function told(id: string, source: string, amount: string, more: Told = {}): Report {
  const { kind = 'sale', day = 0, external_id = null, description = null, metadata = {} } = more;
  const row = { source, amount, external_id, description, currency: 'EUR', timestamp: day * DAY };
  return reportOf(
    { ...row, event_id: id, metadata: JSON.parse(JSON.stringify(metadata)) },
    {
      ...{ kind, isOwn: ['payout', 'transfer'].includes(kind), worth: null },
      ...{ sign: amount.startsWith('-') ? -1 : 1, customerKey: 'customer_id' },
      ...{ span: { earliest: 0, latest: 0 }, repeats: [], carriers: null },
    },
  );
}

const sorted = (groups: readonly (readonly string[])[]) =>
  groups.map((group) => [...group].sort().join()).sort();

/** What is paired and what is asked, which are the same in three orders. */
export function outcome(...reports: Report[]) {
  const found = settled(reports);
  for (const all of [[...reports].reverse(), turned(reports)]) expect(settled(all)).toEqual(found);
  return found;
}

function settled(all: readonly Report[]) {
  const { movements, doubtful } = settle(all, { same: [], apart: [], contradicted: [] });
  const asked = doubtful.map(({ reports: pair, doubt }) => `${[...pair].sort()}: ${doubt}`);
  return { movements: sorted(movements), asked: asked.sort() };
}

const turned = (reports: readonly Report[]) => [...reports.slice(2), ...reports.slice(0, 2)];
