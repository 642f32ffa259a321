import { invalidFields, LedgerError } from '@decision-ledger/contract/errors';
import {
  ACCOUNTING_DEFAULTS,
  DEFAULT_SETTINGS,
  HledgerConnection,
  QuickbooksConnection,
  Settings,
} from '@decision-ledger/contract/settings';
import { checker } from '@decision-ledger/contract/validation';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { crossProblems } from './cross-fields.js';
import { isObject, type JsonObject, mergePatch } from './merge.js';
import { retiredProblems } from './retired.js';

const checkShape = checker(Settings, 'settings');
const checkConnection = new Map<JsonValue | undefined, (value: unknown) => unknown>([
  ['hledger', checker(HledgerConnection, 'connection')],
  ['quickbooks', checker(QuickbooksConnection, 'connection')],
]);

/**
 * What was set, with the defaults filled in; its shape alone is checked.
 * @param document with masks or plain secrets
 */
export function effective(document: JsonObject): Settings {
  return checkShape(withDefaults(document));
}

/**
 * The same with every rule checked.
 * @param now ms
 * @throws LedgerError `validation_error` naming each setting that is wrong
 */
export function checkSettings(document: JsonObject, now: number): Settings {
  const whole = withDefaults(document);
  const { accounting } = whole;
  refuse(retiredProblems(whole));
  refuse(Array.isArray(accounting) ? accounting.flatMap(connectionProblems) : []);
  const settings = checkShape(whole);
  refuse(crossProblems(settings, now));
  return settings;
}

/** How many problems one answer lists. */
const MOST_FIELDS = 100;

function refuse(problems: readonly (readonly [path: string, problem: string])[]): void {
  if (problems.length === 0) return;
  const fields = new Map<string, string[]>();
  for (const [path, problem] of problems.slice(0, MOST_FIELDS)) {
    fields.set(path, [...(fields.get(path) ?? []), problem]);
  }
  throw invalidFields(Object.fromEntries(fields));
}

/** What is wrong with one connection as a connection of its kind, and of no other. */
function connectionProblems(connection: JsonValue, index: number): [string, string][] {
  const path = `accounting[${index}]`;
  if (!isObject(connection)) return [];
  const check = checkConnection.get(connection.kind);
  if (check === undefined) return [[`${path}.kind`, 'must be hledger or quickbooks']];
  try {
    check(connection);
    return [];
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    const fields = Object.entries(error.details?.fields ?? {});
    return fields.flatMap(([name, problems]) =>
      problems.map((problem): [string, string] => [`${path}.${name}`, problem]),
    );
  }
}

function withDefaults(document: JsonObject): JsonObject {
  const whole = mergePatch(DEFAULT_SETTINGS, document);
  if (!Array.isArray(whole.accounting)) return whole;
  const accounting = whole.accounting.map((connection) =>
    isObject(connection) ? { ...ACCOUNTING_DEFAULTS, ...connection } : connection,
  );
  return { ...whole, accounting };
}
