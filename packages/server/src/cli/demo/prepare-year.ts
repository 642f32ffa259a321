import { PERMISSIONS } from '@decision-ledger/contract/permissions';
import { type DatedRate, makeRates } from '@decision-ledger/demo/rates';
import { KEYS, SETTINGS } from '@decision-ledger/demo/settings';
import { makeYear, type Year, type YearOptions } from '@decision-ledger/demo/year';
import { issueKey } from '../../domains/access/keys/index.js';
import { usableCredentials } from '../../domains/access/sessions/index.js';
import { changeSettings } from '../../domains/access/settings/index.js';
import { closeMonths } from '../../domains/answers/analytics/index.js';
import { requestExport } from '../../domains/evidence/exports/index.js';
import { suggestNow } from '../../domains/judgement/attribution/index.js';
import { runNow } from '../../domains/judgement/liability/index.js';
import { verifyActivity } from '../../domains/log/activity/index.js';
import { announceVerification } from '../../domains/log/announcements/index.js';
import { verifyDecisions } from '../../domains/record/decisions/index.js';
import { exportMakerOf } from '../../export-thread/make-in-thread.js';
import { uuidToId } from '../../platform/ids.js';
import type { Ledger } from '../../platform/ledger.js';
import type { Principal, Scope } from '../../platform/principal.js';
import type { Service } from '../../service.js';
import { type MovingTime, type Preparation, recordActs } from './record-acts.js';
import { reviewQueue } from './review-links.js';

const HOUR = 3_600_000;
/** Day of the month and hour (UTC) at which the finance team works on the month before. */
const CLOSING = { day: 12, hour: 9 };
/** The finance team reviews links in sessions of an hour, at the end of the year, and leaves some open. */
const SESSIONS = { count: 4, reviews: 55, beforeEnd: 10 * HOUR };
/** Exposures are estimated after every third month, and at the end. */
const ESTIMATED_MONTHS = 3;
/** A closing takes about as long as recording this share of the year. */
const CLOSING_SHARE = 0.12;

export interface DemoYear extends YearOptions {
  /** Called with the done share of the work, from 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/** Records a year of the business in an empty ledger, as a year of real use would have. */
export async function prepareYear(
  ledger: Ledger,
  service: Service,
  time: MovingTime,
  { onProgress, ...options }: DemoYear,
): Promise<void> {
  const year = makeYear(options);
  const rates = makeRates(options.seed, year.start, year.end);
  const keys = await issueKeys(ledger, service);
  const preparation: Preparation = {
    ...{ service, time, importer: keys.importer },
    ...{ decisions: new Map(), causes: new Map() },
  };
  const operator = operatorOf(ledger.scope);
  await setUp(service.db.ledger(operator.scope), service, operator, rates, time.now());
  const closings = closingsOf(year);
  const all = year.acts.length * (1 + CLOSING_SHARE * (closings.length + 1));
  let done = 0;
  const advance = (work: number) => {
    done += work;
    onProgress(done / all);
  };
  let from = 0;
  for (const [month, at] of closings.entries()) {
    const until = year.acts.findIndex((act) => act.at >= at);
    await recordActs(preparation, year.acts.slice(from, until), advance);
    from = until;
    time.moveTo(at);
    await setUp(service.db.ledger(operator.scope), service, operator, rates, at);
    if (month % ESTIMATED_MONTHS === 0) await estimateDecisions(preparation);
    await closeBooks(preparation);
    advance(year.acts.length * CLOSING_SHARE);
  }
  const until = year.acts.findIndex(({ at }) => at > year.end - SESSIONS.beforeEnd);
  const evening = until < 0 ? year.acts.length : Math.max(from, until);
  await recordActs(preparation, year.acts.slice(from, evening), advance);
  time.moveTo(year.end - SESSIONS.beforeEnd);
  await reviewYear(preparation, keys.finance, options.seed);
  await recordActs(preparation, year.acts.slice(evening), advance);
  time.moveTo(year.end);
  await finish(preparation, keys.finance);
  onProgress(1);
}

/** Links are suggested once for the whole year: each review would otherwise score open events again. */
async function reviewYear(preparation: Preparation, key: Principal, seed: string): Promise<void> {
  await suggestLinks(preparation);
  const { time } = preparation;
  const start = time.now();
  for (let session = 1; session <= SESSIONS.count; session += 1) {
    await reviewQueue(preparation, { key, seed, most: SESSIONS.reviews });
    time.moveTo(start + session * HOUR);
  }
}

async function finish(preparation: Preparation, finance: Principal): Promise<void> {
  await suggestLinks(preparation);
  await estimateDecisions(preparation);
  await closeBooks(preparation);
  await verifyDemoChains(preparation);
  await exportMonth(preparation, finance);
}

/** The settings, with the rates that are known at a time. */
async function setUp(
  ledger: Ledger,
  service: Service,
  operator: Principal,
  rates: readonly DatedRate[],
  at: number,
): Promise<void> {
  const known = rates.filter(({ date }) => Date.parse(date) <= at);
  const exchange_rates = known.map((rate) => ({ ...rate }));
  await ledger.write((tx) =>
    changeSettings(tx, service, operator, { ...SETTINGS, exchange_rates }),
  );
}

/** The times (ms) at which the books of months are closed. */
function closingsOf({ start, acts }: Year): number[] {
  const first = new Date(start);
  const last = acts.at(-1)?.at ?? start;
  const { day, hour } = CLOSING;
  const times: number[] = [];
  for (let month = 1; ; month += 1) {
    const at = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + month, day, hour);
    if (at >= last) return times;
    times.push(at);
  }
}

function operatorOf(scope: Scope): Principal {
  return { scope, actor: 'operator', permissions: new Set(PERMISSIONS) };
}

async function issueKeys(
  ledger: Ledger,
  service: Service,
): Promise<Readonly<Record<keyof typeof KEYS, Principal>>> {
  const issue = async ({ name, permissions }: (typeof KEYS)[keyof typeof KEYS]) => {
    const { key_id } = await service.db
      .ledger(operatorOf(ledger.scope).scope)
      .write((tx) =>
        issueKey(tx, operatorOf(ledger.scope), { name, permissions: [...permissions] }),
      );
    const found = await usableCredentials(ledger, [key_id]);
    const principal = found.get(key_id);
    if (principal === undefined) throw new Error(`the key ${name} cannot be used`);
    return principal;
  };
  const { agents, importer, finance } = KEYS;
  return {
    agents: await issue(agents),
    importer: await issue(importer),
    finance: await issue(finance),
  };
}

/** Never aborted: a preparation is all or nothing. */
const RUNNING = new AbortController().signal;

/** Suggests links for all events that wait. */
async function suggestLinks({ service, importer }: Preparation): Promise<void> {
  await suggestNow(service.db.ledger(importer.scope), service.hooks, RUNNING);
}

/** Estimates all decisions from what is known. */
async function estimateDecisions({ service, importer }: Preparation): Promise<void> {
  await runNow(service.db.ledger(importer.scope), service, () => undefined);
}

/** Closes the months that ended long enough ago. */
async function closeBooks({ service, importer }: Preparation): Promise<void> {
  await closeMonths(service.db.ledger(importer.scope), RUNNING);
}

const DAY = 24 * 3_600_000;
/** The export covers this much of the year, up to its end. */
const DAYS = 30;

/** Makes one export, as the evidence page offers it. */
async function exportMonth({ service, time }: Preparation, requester: Principal): Promise<void> {
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
  const body = {
    export_type: 'forensic',
    start_date: dayOf(time.now() - DAYS * DAY),
    end_date: dayOf(time.now() - DAY),
  } as const;
  const { export_id } = await service.db
    .ledger(requester.scope)
    .write((tx) => requestExport(tx, service, requester, body, () => undefined));
  const failures: unknown[] = [];
  const make = exportMakerOf(service, {
    onFailure: (error) => void failures.push(error),
    onRestart: () => undefined,
  });
  await make(requester.scope, uuidToId('exp', export_id), new AbortController().signal);
  if (failures.length > 0) throw failures[0];
}

const WHOLE = { range: { start: undefined, end: undefined }, anchor: null };
const CHAINS = { decisions: verifyDecisions, activity: verifyActivity } as const;

/** Verifies both chains, as the evidence page does. Throws if one is broken. */
async function verifyDemoChains({ service, importer }: Preparation): Promise<void> {
  const { db } = service;
  const { scope } = importer;
  for (const chain of ['decisions', 'activity'] as const) {
    const verification = await CHAINS[chain](db.ledger(scope), WHOLE);
    if (verification.finding !== null) throw new Error(`the chain of ${chain} is broken`);
    await announceVerification(service.db.ledger(scope), chain, verification, true);
  }
}
