import { ACCOUNTING_DEFAULTS } from '@decision-ledger/contract/accounting';
import { invalidFields } from '@decision-ledger/contract/errors';
import { OTLP_RULE_DEFAULTS } from '@decision-ledger/contract/otlp-settings';
import { DEFAULT_SETTINGS, Settings } from '@decision-ledger/contract/settings';
import { checker } from '@decision-ledger/contract/validation';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { crossProblems } from './cross-fields.js';
import { isObject, type JsonObject, mergePatch } from './document.js';

const checkShape = checker(Settings, 'settings');

/**
 * A stored document with the defaults filled in. Only its schema is checked.
 * @param document with masks or plain secrets
 */
export function effectiveSettings(document: JsonObject): Settings {
  return checkShape(withDefaults(document));
}

/**
 * A document with the defaults filled in. Schema and cross-field rules are checked.
 * @param now ms
 * @throws LedgerError `validation_error` naming each invalid setting
 */
export function checkSettings(document: JsonObject, now: number): Settings {
  const settings = effectiveSettings(document);
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
  const { accounting, otlp } = whole;
  return {
    ...whole,
    ...(accounting !== undefined && { accounting: filled(accounting, ACCOUNTING_DEFAULTS) }),
    ...(isObject(otlp) &&
      otlp.rules !== undefined && {
        otlp: { ...otlp, rules: filled(otlp.rules, OTLP_RULE_DEFAULTS) },
      }),
  };
}

/** Fills defaults into the objects of a list; the schema refuses anything else. */
function filled(list: JsonValue, defaults: JsonObject): JsonValue {
  if (!Array.isArray(list)) return list;
  return list.map((item) => (isObject(item) ? { ...defaults, ...item } : item));
}
