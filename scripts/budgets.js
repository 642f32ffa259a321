// Compares the size of each part of the project with its budget: node scripts/budgets.js [--write]
// A budget is raised only with a record in docs/decisions that says what the part does more. `--write` lowers budgets of
// parts that became smaller, and adds those of new parts.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const ROOT = join(import.meta.dirname, '..');
const FILE = join(ROOT, 'scripts/budgets.json');
/** Room for small changes: budgets are multiples of these. */
const ROOM = { files: 5, lines: 250, exports: 25 };
const EXPORT = /^export (?!\{|\*)/gm;
const GROUPED = /^packages\/server\/src\/(domains\/[^/]+|[^/]+)\//;

const measured = measure();
const budgets = JSON.parse(readFileSync(FILE, 'utf8'));
if (process.argv.includes('--write')) write();
else check();

/** @returns {Map<string, { files: number, lines: number, exports: number }>} by part, in order */
function measure() {
  const parts = new Map();
  for (const path of sourcesOf('packages').sort()) {
    const part = GROUPED.exec(path)?.[0].slice(0, -1) ?? path.split('/').slice(0, 2).join('/');
    const text = readFileSync(join(ROOT, path), 'utf8');
    const sum = parts.get(part) ?? { files: 0, lines: 0, exports: 0 };
    sum.files += 1;
    sum.lines += text.split('\n').length - 1;
    sum.exports += text.match(EXPORT)?.length ?? 0;
    parts.set(part, sum);
  }
  return parts;
}

/** Paths of the sources below a folder of packages. */
function sourcesOf(folder) {
  return readdirSync(join(ROOT, folder)).flatMap((name) =>
    readdirSync(join(ROOT, folder, name), { recursive: true, encoding: 'utf8' })
      .filter((path) => /^src\/.*\.(ts|tsx|js)$/.test(path))
      .map((path) => `${folder}/${name}/${path}`),
  );
}

function write() {
  const entries = [...measured].map(([part, sizes]) => {
    const rounded = Object.entries(sizes).map(([kind, size]) => {
      const reached = Math.ceil(size / ROOM[kind]) * ROOM[kind];
      return [kind, Math.min(reached, budgets[part]?.[kind] ?? reached)];
    });
    return [part, Object.fromEntries(rounded)];
  });
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
}

function check() {
  const problems = [...measured].flatMap(([part, sizes]) => {
    const budget = budgets[part];
    if (budget === undefined) return [`${part} has no budget: node scripts/budgets.js --write`];
    return Object.entries(sizes)
      .filter(([kind, size]) => size > budget[kind])
      .map(([kind, size]) => `${part} has ${size} ${kind}, its budget is ${budget[kind]}`);
  });
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length === 0) return;
  process.stderr.write('Make it smaller, or raise its budget with a record in docs/decisions.\n');
  process.exitCode = 1;
}
