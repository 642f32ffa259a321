import type { DecisionBody } from '@decision-ledger/contract/decision';
import type { ErasureBody } from '@decision-ledger/contract/erasure';
import type { FinancialEventBody } from '@decision-ledger/contract/financial-event';
import { AGENTS } from './agents/registry.js';
import { makeBackground } from './background.js';
import {
  type Agent,
  DAY,
  type Draft,
  type DraftDecision,
  type DraftEvent,
  MINUTE,
  type Release,
} from './draft.js';
import { type Customer, makeCompanies, makeCustomers } from './people.js';
import { SeededRandom } from './random.js';
import { timesOf } from './times.js';

export interface YearOptions {
  readonly seed: string;
  /** ms: the year ends here. */
  readonly end: number;
  /** Cases of agents; a case has one to three decisions. */
  readonly cases: number;
}

/** What is recorded at a time: ms. */
export type Act = PlannedDecision | PlannedEvent | PlannedErasure;

interface PlannedDecision {
  readonly kind: 'decision';
  readonly at: number;
  /** Names the decision in this plan. */
  readonly ref: number;
  readonly body: DecisionBody;
}

interface PlannedEvent {
  readonly kind: 'event';
  readonly at: number;
  readonly body: FinancialEventBody;
  /** The decision that caused it; null if none did. */
  readonly cause: number | null;
  /** Whether the source names the decision, so that it is linked at once. */
  readonly isNamed: boolean;
}

interface PlannedErasure {
  readonly kind: 'erasure';
  readonly at: number;
  readonly ref: number;
  readonly body: ErasureBody;
}

export interface Year {
  /** ms. */
  readonly start: number;
  readonly end: number;
  readonly decisions: number;
  /** In order of time. */
  readonly acts: readonly Act[];
}

/** The length of a year in ms. */
export const YEAR_MS = 365 * DAY;
const CUSTOMERS = { people: 2600, companies: 240 };
const REGULARS = 40;

/**
 * A year of a business whose agents decide: what is recorded, in the order of its recording. The same
 * options give the same year.
 */
export function makeYear({ seed, end, cases }: YearOptions): Year {
  const start = end - YEAR_MS;
  const market = {
    people: makeCustomers(new SeededRandom(`${seed} people`), CUSTOMERS.people),
    companies: makeCompanies(new SeededRandom(`${seed} companies`), CUSTOMERS.companies),
  };
  const all = Object.values(AGENTS).reduce((sum, { share }) => sum + share, 0);
  const acts: Act[] = [];
  let refs = 0;
  for (const [id, agent] of Object.entries(AGENTS)) {
    const random = new SeededRandom(`${seed} ${id}`);
    const count = Math.round((cases * agent.share) / all);
    for (const { draft, passed } of draftsOf(agent, random, { start, end, count, market })) {
      acts.push(...planned(id, agent, draft, { refs, passed, random }));
      refs += draft.decisions.length;
    }
  }
  for (const { at, body } of makeBackground(seed, start, end)) {
    acts.push(eventOf(at, body, { cause: null, isNamed: false, delay: BANK_DELAY }));
  }
  const recorded = acts.filter(({ at }) => at < end);
  const inOrder = [...recorded, ...erasuresOf(seed, recorded, end)].sort((a, b) => a.at - b.at);
  const decisions = inOrder.filter(({ kind }) => kind === 'decision').length;
  return { start, end, decisions, acts: inOrder };
}

interface Market {
  readonly people: readonly Customer[];
  readonly companies: readonly Customer[];
}

interface Business {
  readonly start: number;
  readonly end: number;
  readonly count: number;
  readonly market: Market;
}

/** The cases of an agent, in order of time. */
function* draftsOf(
  agent: Agent,
  random: SeededRandom,
  { start, end, count, market }: Business,
): Generator<{ readonly draft: Draft; readonly passed: number }> {
  const draw = timesOf(agent.hours, { start, end });
  const times = Array.from({ length: count }, () => draw(random)).sort((a, b) => a - b);
  for (const [number, at] of times.entries()) {
    const passed = (at - start) / YEAR_MS;
    // A few customers come back often.
    const most = random.chance(0.2) ? REGULARS : market.people.length;
    const customer = market.people[random.int(0, most - 1)];
    const company = market.companies[random.int(0, market.companies.length - 1)];
    if (customer === undefined || company === undefined) throw new Error('there are no customers');
    yield { draft: agent.draft({ at, number, passed, random, customer, company }), passed };
  }
}

interface Place {
  /** The ref of the first decision of the case. */
  readonly refs: number;
  readonly passed: number;
  readonly random: SeededRandom;
}

function planned(id: string, agent: Agent, draft: Draft, { refs, passed, random }: Place): Act[] {
  const decisions = draft.decisions.map((one, index) =>
    decisionOf(id, agent, one, { ref: refs + index, passed }),
  );
  const events = draft.events.map(({ at, body, cause, isNamed }) =>
    eventOf(at, body, { cause: refs + cause, isNamed, delay: random.int(1, 240) * MINUTE }),
  );
  return [...decisions, ...events];
}

/** How long after it happened the bank reports a payment, in ms. */
const BANK_DELAY = 20 * MINUTE;

function eventOf(
  happened: number,
  body: DraftEvent['body'],
  { delay, ...rest }: Pick<PlannedEvent, 'cause' | 'isNamed'> & { readonly delay: number },
): PlannedEvent {
  const timestamp = new Date(happened).toISOString();
  return { kind: 'event', at: happened + delay, body: { ...body, timestamp }, ...rest };
}

function decisionOf(
  id: string,
  { releases }: Agent,
  { at, metadata, ...fields }: DraftDecision,
  { ref, passed }: { readonly ref: number; readonly passed: number },
): PlannedDecision {
  const { version, model } = releaseAt(releases, passed);
  return {
    kind: 'decision',
    at,
    ref,
    body: {
      agent_id: id,
      ...fields,
      metadata: { ...metadata, version, model },
      timestamp: new Date(at).toISOString(),
    },
  };
}

function releaseAt(releases: Agent['releases'], passed: number): Release {
  return releases.findLast(({ from }) => from <= passed) ?? releases[0];
}

const ERASURES = 12;
const REASONS = [
  'The customer asked for erasure (Article 17 GDPR)',
  'A card number was written into the message',
] as const;

/** Requests to erase what customers wrote, some weeks after the decision. */
function erasuresOf(seed: string, acts: readonly Act[], end: number): PlannedErasure[] {
  const random = new SeededRandom(`${seed} erasures`);
  const written = acts.filter(
    (act) => act.kind === 'decision' && act.body.agent_id === 'support-refunds',
  );
  return Array.from({ length: ERASURES }, (): PlannedErasure[] => {
    const decision = written[random.int(0, written.length - 1)];
    const at = (decision?.at ?? end) + Math.round(random.between(8, 50) * DAY);
    if (decision?.kind !== 'decision' || at >= end) return [];
    const body: ErasureBody = { fields: ['inputs'], reason: random.pick(REASONS) };
    return [{ kind: 'erasure', at, ref: decision.ref, body }];
  }).flat();
}
