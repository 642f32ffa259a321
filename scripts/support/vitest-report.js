import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';
import { stripVTControlCharacters } from 'node:util';

/** Counts of a run from its JSON report. Errors outside of tests count as failures. */
export function readReport(path, exitCode) {
  const files = readFiles(path);
  const all = files.flatMap((file) => file.assertionResults.map((test) => ({ ...test, file })));
  const failures = all
    .filter((test) => test.status === 'failed')
    .map((test) => `${nameOf(test.file)} › ${test.fullName}: ${reasonOf(test)}`);
  for (const file of files) {
    const blamed = file.assertionResults.some((test) => test.status === 'failed');
    if (file.status === 'failed' && !blamed) failures.push(`${nameOf(file)}: ${file.message}`);
  }
  if (exitCode !== 0 && failures.length === 0) failures.push(`ended with code ${exitCode}`);
  const passed = all.filter((test) => test.status === 'passed').length;
  const skipped = all.filter((test) => !['passed', 'failed'].includes(test.status)).length;
  return { passed, skipped, failures };
}

function readFiles(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).testResults;
  } catch {
    return [];
  }
}

/** The first line of the first error, without colours. */
function reasonOf({ failureMessages: [message = 'no message'] }) {
  return stripVTControlCharacters(message).split('\n', 1)[0];
}

function nameOf(file) {
  return relative(process.cwd(), file.name);
}
