import type { Shape } from '@decision-ledger/proof/bundle/shape';
import { canonicalJson } from '@decision-ledger/proof/canonical';
import type { JsonValue } from '@decision-ledger/proof/gate';

/** The members of a record that are derived from its metadata. */
export interface Use {
  readonly 'period_of_use.start': JsonValue;
  readonly 'period_of_use.end': JsonValue;
  readonly 'verifier.reviewer_id': JsonValue;
  readonly 'verifier.verifiers': JsonValue;
  readonly 'biometric_search.reference_database': JsonValue;
  readonly 'biometric_search.matched_input': JsonValue;
}

/**
 * The use in the record. Its `verifier` also has `human_in_loop`, which is hashed separately.
 * @throws ShapeError
 */
export function readUse(record: Shape): { readonly use: Use; readonly humanInLoop: boolean } {
  const period = record.object('period_of_use');
  const verifier = record.object('verifier');
  const search = record.object('biometric_search');
  const use = {
    'period_of_use.start': period.value('start'),
    'period_of_use.end': period.value('end'),
    'verifier.reviewer_id': verifier.value('reviewer_id'),
    'verifier.verifiers': verifier.value('verifiers'),
    'biometric_search.reference_database': search.value('reference_database'),
    'biometric_search.matched_input': search.value('matched_input'),
  };
  const humanInLoop = verifier.flag('human_in_loop');
  for (const members of [period, verifier, search]) members.done();
  return { use, humanInLoop };
}

/** The use derived from the metadata; null for missing or unreadable values. */
export function useOf(metadata: JsonValue): Use {
  const reviewer = present(member(metadata, 'reviewer_id'));
  const named = verifiersIn(member(metadata, 'verifiers'));
  return {
    'period_of_use.start': timeIn(member(metadata, 'use_start')),
    'period_of_use.end': timeIn(member(metadata, 'use_end')),
    'verifier.reviewer_id': reviewer,
    'verifier.verifiers': named ?? (reviewer === null ? null : [reviewer]),
    'biometric_search.reference_database': present(member(metadata, 'reference_database')),
    'biometric_search.matched_input': present(member(metadata, 'matched_input')),
  };
}

/** Paths of the members that differ from the metadata. */
export function differencesOfUse(recorded: Use, metadata: JsonValue): string[] {
  const wanted = new Map<string, JsonValue>(Object.entries(useOf(metadata)));
  return Object.entries(recorded)
    .filter(([path, value]) => canonicalJson(value) !== canonicalJson(wanted.get(path) ?? null))
    .map(([path]) => path);
}

function member(value: JsonValue, name: string): JsonValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return Object.hasOwn(value, name) ? (value[name] ?? null) : null;
}

/** Returns null for a blank text. */
function present(value: JsonValue): JsonValue {
  return typeof value === 'string' && value.trim() === '' ? null : value;
}

function verifiersIn(value: JsonValue): JsonValue[] | null {
  const named = (Array.isArray(value) ? value : [value]).filter((one) => present(one) !== null);
  return named.length === 0 ? null : named;
}

function timeIn(value: JsonValue): string | null {
  return typeof value === 'string' && isDateTime(value) ? value : null;
}

const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;
/** From year 1 to year 9999 in UTC, in whole seconds. */
const [FIRST_MS, LAST_MS] = [-62_135_596_800_000, 253_402_300_799_000];

/** Whether a text is an RFC 3339 date-time in the years 1 to 9999. */
function isDateTime(text: string): boolean {
  const match = DATE_TIME.exec(text);
  if (match === null) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map(Number);
  const [offsetHour, offsetMinute] = [Number(match[8] ?? 0), Number(match[9] ?? 0)];
  if (year < 1 || hour > 23 || minute > 59 || second > 59) return false;
  if (offsetHour > 23 || offsetMinute > 59) return false;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return false;
  const offset = (match[7] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute);
  const ms = date.getTime() + ((hour * 60 + minute - offset) * 60 + second) * 1000;
  return FIRST_MS <= ms && ms <= LAST_MS;
}
