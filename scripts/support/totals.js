import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';

/** Counts of tests and a line per failure. A check counts as one test. */
export const NOTHING = { passed: 0, failed: 0, skipped: 0, failures: [] };

export function outcome({ passed = 0, skipped = 0, failures = [] }) {
  return { passed, skipped, failures, failed: failures.length };
}

export function add(one, other) {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
    failures: [...one.failures, ...other.failures],
  };
}

export function describe({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/**
 * Prints the failures, and the totals on their own line. With TEST_TOTALS, the name of a file, the totals
 * are added to those in the file instead, for runs in several parts.
 */
export function finish(total) {
  if (total.failed > 0) {
    process.stdout.write(`\nFailures:\n${total.failures.map((line) => `  ${line}\n`).join('')}`);
  }
  const path = process.env.TEST_TOTALS;
  if (path === undefined) {
    process.stdout.write(`\n${describe(total)}\n`);
    return;
  }
  process.stdout.write(`\nThis part: ${describe(total)}\n`);
  writeFileSync(path, `${describe(add(readTotals(path), total))}\n`);
}

function readTotals(path) {
  if (!existsSync(path)) return NOTHING;
  const numbers = readFileSync(path, 'utf8').match(/\d+/g) ?? [];
  const [passed = 0, failed = 0, skipped = 0] = numbers.map(Number);
  return { ...NOTHING, passed, failed, skipped };
}
