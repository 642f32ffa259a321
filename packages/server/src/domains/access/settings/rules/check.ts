import { ACCOUNTING_DEFAULTS } from '@decision-ledger/contract/accounting/connection';
import { invalidFields } from '@decision-ledger/contract/errors';
import { DEFAULT_SETTINGS, Settings } from '@decision-ledger/contract/settings';
import { checker } from '@decision-ledger/contract/validation';
import { crossProblems } from './cross-fields.js';
import { isObject, type JsonObject, mergePatch } from './merge.js';

const checkShape = checker(Settings, 'settings');

/**
 * A stored document with the defaults filled in. Only its schema is checked.
 * @param document with masks or plain secrets
 */
export function effective(document: JsonObject): Settings {
  return checkShape(withDefaults(document));
}

/**
 * A document with the defaults filled in. Schema and cross-field rules are checked.
 * @param now ms
 * @throws LedgerError `validation_error` naming each invalid setting
 */
export function checkSettings(document: JsonObject, now: number): Settings {
  const settings = effective(document);
  refuse(crossProblems(settings, now));
  return settings;
}

function refuse(problems: readonly (readonly [path: string, problem: string])[]): void {
  if (problems.length === 0) return;
  const fields = new Map<string, string[]>();
  for (const [path, problem] of problems) {
    const others = fields.get(path);
    if (others === undefined) fields.set(path, [problem]);
    else others.push(problem);
  }
  throw invalidFields(Object.fromEntries(fields));
}

function withDefaults(document: JsonObject): JsonObject {
  const whole = mergePatch(DEFAULT_SETTINGS, document);
  if (!Array.isArray(whole.accounting)) return whole;
  const accounting = whole.accounting.map((connection) =>
    isObject(connection) ? { ...ACCOUNTING_DEFAULTS, ...connection } : connection,
  );
  return { ...whole, accounting };
}
