import type { LiabilitySettings } from '@decision-ledger/contract/liability-settings';
import { isUndone, outcomeReader } from '@decision-ledger/contract/outcome';
import type { PayloadUnits } from '@decision-ledger/contract/source-profiles';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { type Role, roleReader } from './action-roles.js';
import { keyReader, NO_MEANING } from './amount-keys.js';
import { approvalReader } from './approvals.js';
import { best, type Candidate } from './candidates.js';
import { isObject, type JsonObject } from './json-object.js';
import { PayloadSearch, type Place, type SearchTerms } from './payload-search.js';
import { unitReader } from './payload-units.js';
import { memoize, wordsOfName } from './words.js';

/**
 * Where the amount of a decision comes from. approved: the decision states what it approves or does. claimed: somebody
 * asked for it, and the step approves it. unapproved: somebody asked for it, and no more is known. read: the step looks
 * up, asks or advises, so that nothing of it is at risk.
 */
export const PROVENANCES = ['approved', 'claimed', 'unapproved', 'read'] as const;
export type Provenance = (typeof PROVENANCES)[number];

/** An amount that a decision states. */
export interface StatedAmount {
  /** Magnitude in major units: decimal text. */
  readonly amount: string;
  /** Null means the base currency. */
  readonly currency: string | null;
}

/** What a decision states about money. */
export interface Statement {
  /** Null if it states no amount. */
  readonly provenance: Provenance | null;
  /** Null for what is read, and for no amount. */
  readonly stated: StatedAmount | null;
}

export interface StatedPayload {
  readonly outputs?: JsonObject | undefined;
  readonly inputs?: JsonObject | undefined;
}

/** The settings that amounts are read with. */
export interface ReadingSettings
  extends Pick<LiabilitySettings, 'amount_paths' | 'claim_paths' | 'minor_unit_paths'>,
    Pick<LiabilitySettings, 'amount_words' | 'action_words' | 'outcomes'> {
  /** Of all profiles of sources. */
  readonly payload_units: readonly PayloadUnits[];
}

export type ReadStated = (actionType: string, payload: StatedPayload) => Statement;

/** Verbs and other words of action types that say nothing about which amount is meant. */
const VAGUE = new Set(
  'approve create process get update make issue send submit request execute new a the to of'.split(
    ' ',
  ),
);

/** What the name of an action says. */
interface Action {
  readonly role: Role;
  /** Words that may name an amount. */
  readonly words: readonly string[];
}

/**
 * Reads what a decision states about money: what it approves, else what was claimed. Of several amounts, `candidates` says
 * which one counts.
 * @param base currency of amounts in minor units without a currency
 */
export function statedReader(settings: ReadingSettings, base: string): ReadStated {
  const terms: SearchTerms = {
    meanings: memoize(keyReader(settings.amount_words)),
    units: unitReader(settings.payload_units),
    minorPaths: new Set(settings.minor_unit_paths),
    base,
  };
  const [decided, claims] = [rootsOf(settings.amount_paths), rootsOf(settings.claim_paths)];
  const readRole = roleReader(settings.action_words);
  const says = approvalReader(settings.amount_words);
  const readOutcome = outcomeReader(settings.outcomes);
  const actions = memoize(
    (type: string): Action => ({
      role: readRole(type),
      words: wordsOfName(type).filter((word) => !VAGUE.has(word)),
    }),
  );
  return (action_type, payload) => {
    const { role, words } = actions(action_type);
    if (role === 'reads') return READ;
    const fails = (outputs: JsonObject) => isUndone(readOutcome({ action_type, outputs }));
    const among = ({ path, keys }: Root, isClaim: boolean): Candidate[] => {
      const search = new PayloadSearch(terms, words, fails);
      return candidatesAt(search, terms, payload, { path, keys, isClaim });
    };
    const claimed: Candidate[] = [];
    for (const root of decided) {
      const found = among(root, false);
      const approved = best(found, false);
      if (approved !== null) return statement('approved', approved);
      claimed.push(...found);
    }
    const repeated = best(claimed, true);
    const claim = repeated ?? firstOf(claims, (root) => best(among(root, true), true));
    if (claim === null) return NOTHING;
    const isApproved = role === 'approves' || says(payload.outputs);
    return statement(isApproved ? 'claimed' : 'unapproved', claim);
  };
}

const READ: Statement = { provenance: 'read', stated: null };
const NOTHING: Statement = { provenance: null, stated: null };

function statement(provenance: Provenance, { amount, currency }: Candidate): Statement {
  return { provenance, stated: { amount, currency } };
}

function firstOf<Item, Value>(
  items: readonly Item[],
  value: (item: Item) => Value | null,
): Value | null {
  for (const item of items) {
    const found = value(item);
    if (found !== null) return found;
  }
  return null;
}

/** A path of the settings. */
interface Root {
  readonly path: string;
  readonly keys: readonly string[];
}

const rootsOf = (paths: readonly string[]): Root[] =>
  paths.map((path) => ({ path, keys: path.split('.') }));

function candidatesAt(
  search: PayloadSearch,
  { meanings, units }: SearchTerms,
  payload: StatedPayload,
  { path, keys, isClaim }: Root & { readonly isClaim: boolean },
): Candidate[] {
  const target = valueAtPath(payload, keys);
  if (target === null) return [];
  const { value, parents } = target;
  const key = keys.length > 1 ? (keys.at(-1) ?? '') : '';
  const meaning = meanings(key);
  const parent = parents.at(-1);
  const place: Place = {
    path,
    key,
    meaning,
    depth: 1,
    currency: parent === undefined ? null : (meaning.currency ?? search.currencyIn(parent)),
    quantity: null,
    isClaim,
    units: parents.reduce((around, one) => units.enter(one, around), units.everywhere),
  };
  const outer = { key: keys.length > 2 ? (keys.at(-2) ?? '') : '', meaning: NO_MEANING };
  const amount = typeof value === 'object' ? null : search.amount(value, place, outer, 'amount');
  return amount === null ? search.find(value, place) : [amount];
}

/** The value at a path, and the objects that hold it, the outermost first. */
function valueAtPath(
  payload: StatedPayload,
  path: readonly string[],
): { readonly value: JsonValue; readonly parents: readonly JsonObject[] } | null {
  const root = path[0] === 'outputs' ? payload.outputs : payload.inputs;
  if (root === undefined) return null;
  const parents: JsonObject[] = [];
  let value: JsonValue = root;
  for (let step = 1; step < path.length; step += 1) {
    const key = path[step] ?? '';
    if (!isObject(value) || !Object.hasOwn(value, key)) return null;
    parents.push(value);
    value = value[key] ?? null;
  }
  return { value, parents };
}
