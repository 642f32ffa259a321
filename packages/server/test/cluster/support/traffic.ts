import { Erasure } from '@decision-ledger/contract/erasure';
import { Export } from '@decision-ledger/contract/export';
import { success } from '@decision-ledger/contract/shared';
import { Check } from 'typebox/value';
import { MoneyBook, moveMoney, repeatUnanswered } from '../../platform/support/money-script.js';
import { createCaller } from '../../support/caller.js';
import { ALWAYS } from '../../support/exports.js';
import { Journal, orderOf, send } from '../../support/load.js';
import { createPatientCaller, type PatientCaller } from './patient-caller.js';

/** One ledger, and what was answered about it. */
export class Tenant {
  readonly journal = new Journal();
  readonly book = new MoneyBook();
  /** Ids of decisions whose erasure was answered, and of exports. */
  readonly erased = new Set<string>();
  readonly exports = new Set<string>();
  /** Answers that nothing explains. */
  readonly unexpected: string[] = [];

  constructor(
    readonly organisation: string,
    readonly name: string,
    readonly key: string,
    readonly ledger: string,
  ) {}
}

/** How long a ledger waited until a decision was taken, with all repetitions, in ms. */
export interface Wait {
  readonly at: number;
  readonly ms: number;
}

export interface Traffic {
  readonly waits: readonly Wait[];
  /** Ends once each request under way was answered. */
  stop(): Promise<void>;
}

/** How long the sender of each kind of requests rests between two of them, in ms. */
export interface Pace {
  readonly decisions: number;
  readonly money: number;
  readonly others: number;
}

/** More than two processors can do at once. */
export const BUSY: Pace = { decisions: 400, money: 500, others: 500 };

/** What leaves the processors time, so that a wait is not for them. */
export const CALM: Pace = { decisions: 1000, money: 4000, others: 4000 };

interface Sending {
  readonly name: string;
  readonly random: () => number;
  readonly pace: Pace;
}

/** Requests of every kind for one ledger. */
export function startTraffic(
  tenant: Tenant,
  urls: readonly string[],
  { name, random, pace }: Sending,
): Traffic {
  const waits: Wait[] = [];
  const caller = (restMs: number) => createPatientCaller(urls, tenant.key, restMs);
  const [decisions, money, others] = [
    caller(pace.decisions),
    caller(pace.money),
    caller(pace.others),
  ];
  const callers = [decisions, money, others];
  const { journal, book } = tenant;
  const script = { caller: money, random, journal, book, name };
  const done = Promise.all([
    untilStopped(() => decide(tenant, { caller: decisions, urls, name, waits })),
    untilStopped(() => repeatUnanswered(script).then(() => moveMoney(script))),
    untilStopped(() => askAll(tenant, others, Math.floor(random() * 100))),
  ]);
  return {
    waits,
    async stop() {
      for (const one of callers) one.stop();
      await done;
      for (const one of callers) {
        tenant.unexpected.push(...one.unexpected);
        one.close();
      }
    },
  };
}

/** What a stopped caller says ends the work that uses it. */
async function untilStopped(work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => {
    const causes = [error, error instanceof Error ? error.cause : undefined];
    const isStop = causes.some((one) => one instanceof Error && /was stopped/.test(one.message));
    if (!isStop) throw error;
  });
}

interface Deciding {
  readonly caller: PatientCaller;
  readonly urls: readonly string[];
  readonly name: string;
  readonly waits: Wait[];
}

/** Decisions without a key are sent once: nobody could tell whether a repetition is a second one. */
async function decide(
  { journal, key }: Tenant,
  { caller, urls: [url = ''], name, waits }: Deciding,
): Promise<void> {
  const once = createCaller(url, key);
  let from: number | null = null;
  try {
    for (let n = 0; ; n += 1) {
      const order = orderOf(name, n);
      const asked = performance.now();
      from ??= asked;
      if (order.key === null) await caller.call('GET', '/api/v1/me');
      const outcome = await send(order.key === null ? once : caller, journal, order);
      // What the caller throws when it is stopped, `send` takes for a broken connection.
      if (outcome.kind === 'unanswered' && order.key !== null) return;
      if (outcome.kind !== 'acknowledged') continue;
      waits.push({ at: performance.now(), ms: performance.now() - from });
      from = null;
    }
  } finally {
    once.close();
  }
}

const DRY_RUN = { liability: { response_cost: '12.00' } };
const EXPORT = { export_type: 'forensic', ...ALWAYS };
const NO_DECISION = 'dec_00000000000000000000000000';

type Ask = readonly [method: string, path: string, body?: object];

/** Of every kind that is not about decisions, events and links alone. @param id of a recent decision */
const asks = (id: string): readonly Ask[] => [
  ['GET', '/decisions?limit=20'],
  ['GET', `/decisions/${id}`],
  ['GET', `/decisions/${id}/liability`],
  ['POST', `/decisions/${id}/erase`, { fields: ['metadata'], reason: 'asked for' }],
  ['GET', '/decisions/chain/verify'],
  ['GET', '/activity?limit=20'],
  ['GET', '/activity/chain/verify'],
  ['GET', '/financial-events?limit=20'],
  ['GET', '/links?limit=20'],
  ['GET', '/reviews?limit=20'],
  ['GET', '/movements/same-money'],
  ['GET', '/search?q=load'],
  ['POST', '/exports', EXPORT],
  ['GET', '/exports'],
  ['GET', '/analytics/ai-pnl'],
  ['GET', '/analytics/agents'],
  ['GET', '/analytics/liability'],
  ['GET', '/analytics/months'],
  ['GET', '/analytics/attribution-quality'],
  ['PATCH', '/settings?dry_run=true', DRY_RUN],
  ['GET', '/settings'],
  ['GET', '/keys'],
  ['GET', '/me'],
  ['GET', '/followers'],
  ['GET', '/jobs/dead'],
  ['GET', '/signing-keys'],
  ['GET', '/verification'],
];

/** One request after the other, each about another decision. */
async function askAll(tenant: Tenant, caller: PatientCaller, first: number): Promise<void> {
  for (let n = first; ; n += 1) {
    const recent = [...tenant.journal.acknowledged.values()].at(-1)?.[0]?.decision_id;
    const all = asks(recent ?? NO_DECISION);
    const [method, path, body] = all[n % all.length] ?? ['GET', '/me'];
    const reply = await caller.call(method, `/api/v1${path}`, body);
    if (reply.status >= 400 && recent !== undefined) {
      tenant.unexpected.push(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    }
    if (Check(success(Erasure), reply.body)) tenant.erased.add(reply.body.data.decision_id);
    if (reply.status === 202 && Check(success(Export), reply.body)) {
      tenant.exports.add(reply.body.data.export_id);
    }
  }
}
