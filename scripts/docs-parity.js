// Fails if the documentation and the code differ. `--write` updates the generated blocks.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { slug } from '@decision-ledger/site/navigation';
import { unlisted } from '@decision-ledger/site/sources';
import { buildOrExit } from '../packages/server/bin/build/ensure.js';
import { BLOCKS, readFacts, readVariables } from './docs-generate.js';
import { checkMonitoring } from './docs-monitoring.js';
import { checkRequests, checkSnippets } from './docs-snippets.js';
import { DATA_FILES } from './docs-tables.js';

const ROOT = join(import.meta.dirname, '..');
/** A generated block and its name; its content has no comments. */
const BLOCK = /<!-- generated: (\w+) -->\n((?:(?!<!--)[\s\S])*)<!-- \/generated -->/g;
const API = 'docs/api.md';
const CONFIGURATION = 'docs/configuration.md';
const DATA = 'docs/data';
const STREAM = 'docs/stream.md';
const ERRORS = 'docs/errors.md';
const GUIDE = 'CONTRIBUTING.md';
/** Paths below them are named from the root. */
const FOLDERS = /^(?:benchmarks|clients|docs|evaluation|examples|packages|scripts|vectors)\//;
/** Variables that the client library reads, and the service does not. */
const CLIENT_VARIABLES = ['LEDGER_DISABLED'];
/** The page of each generated block. */
const HOME = {
  permissions: API,
  limits: API,
  environment: CONFIGURATION,
};

const CHECKS = [
  checkBlocks,
  checkDataFiles,
  checkErrors,
  checkStream,
  checkVariables,
  checkCommands,
  checkMonitoring,
  checkSnippets,
  checkRequests,
  checkErrorPages,
  checkMenu,
  checkLinks,
  checkPaths,
];

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  const write = args.includes('--write');
  if (args.some((argument) => argument !== '--write')) {
    process.stderr.write('usage: node scripts/docs-parity.js [--write]\n');
    return 2;
  }
  await buildOrExit();
  const facts = await readFacts();
  const pages = readPages();
  if (write) {
    for (const page of pages) renew(page, facts);
    for (const [name, content] of Object.entries(DATA_FILES)) {
      writeFileSync(join(ROOT, DATA, name), content(facts));
    }
  }
  const problems = CHECKS.flatMap((check) => check(facts, pages));
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  const result = problems.length === 0 ? 'agree' : `differ in ${problems.length} places`;
  process.stdout.write(`The documentation (${pages.length} files) and the code ${result}.\n`);
  return problems.length === 0 ? 0 : 1;
}

function readPages() {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true }).filter((name) =>
    name.endsWith('.md'),
  );
  const paths = ['README.md', ...docs.sort().map((name) => `docs/${name}`)];
  return paths.map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

function renew(page, facts) {
  const text = page.text.replaceAll(BLOCK, (_whole, name, old) => {
    return `<!-- generated: ${name} -->\n${render(facts, name, old)}<!-- /generated -->`;
  });
  if (text !== page.text) writeFileSync(join(ROOT, page.path), text);
  page.text = text;
}

function render(facts, name, old) {
  const block = BLOCKS[name];
  if (block === undefined) throw new Error(`there is no generated block named ${name}`);
  return `\n${block(facts, keeper(old))}\n\n`;
}

/** Returns the handwritten last cell of the row with a name. */
function keeper(old) {
  const rows = old.split('\n').map((line) => line.replace(/^\| | \|$/g, '').split(' | '));
  return (name) => {
    const row = rows.find((cells) => cells.slice(0, -1).includes(`\`${name}\``));
    return row?.at(-1) ?? '';
  };
}

function checkBlocks(facts, pages) {
  return Object.entries(HOME).flatMap(([name, path]) => {
    const found = [...textOf(pages, path).matchAll(BLOCK)].find(([, block]) => block === name);
    if (found === undefined) return [`${path}: the generated block ${name} is missing`];
    const made = render(facts, name, found[2]);
    if (made !== found[2]) {
      return [`${path}: the block ${name} is out of date: run node scripts/docs-parity.js --write`];
    }
    const unfinished = made.split('\n').filter((line) => line.endsWith('|  |'));
    return unfinished.map((line) => `${path}: fill in the last cell of ${line}`);
  });
}

/** The data files that follow from the code are up to date. */
function checkDataFiles(facts) {
  return Object.entries(DATA_FILES)
    .filter(([name, content]) => {
      const path = join(ROOT, DATA, name);
      return !existsSync(path) || readFileSync(path, 'utf8') !== content(facts);
    })
    .map(([name]) => `${DATA}/${name} is out of date: run node scripts/docs-parity.js --write`);
}

/** The files and folders that the guide for contributors names exist. */
function checkPaths() {
  const text = readFileSync(join(ROOT, GUIDE), 'utf8');
  const named = text.matchAll(/`((?:[a-z]+\/)+[\w./-]*)`/g);
  return Array.from(named, ([, path]) => path)
    .filter((path) => FOLDERS.test(path) && !existsSync(join(ROOT, path)))
    .map((path) => `${GUIDE}: there is no ${path}`);
}

/** The menu of the site lists every page. */
function checkMenu() {
  return unlisted(ROOT).map((page) => `packages/site/src/navigation.js: ${page} is missing`);
}

/** Wherever a page has a status before an error code, the two match. */
function checkErrors({ errors }, pages) {
  return pages.flatMap(({ path, text }) =>
    [...text.matchAll(/\b([45]\d\d) `([a-z_]+)`/g)]
      .filter(([, status, code]) => errors[code] !== Number(status))
      .map(([, status, code]) => `${path}: ${code} is not an error of status ${status}`),
  );
}

/** Each error code has a section with its cause and its remedy, and each section a code. */
function checkErrorPages({ errors }, pages) {
  const [, ...parts] = textOf(pages, ERRORS).split(/^### /m);
  const titles = parts.map((part) => part.split('\n', 1)[0]);
  const thin = parts.filter((part) => !/\*\*Cause\.\*\*[\s\S]*\*\*Remedy\.\*\*/.test(part));
  return [
    ...without(Object.keys(errors), titles).map((code) => `${ERRORS}: ${code} is missing`),
    ...without(titles, Object.keys(errors)).map((code) => `${ERRORS}: ${code} is no error`),
    ...thin.map((part) => `${ERRORS}: cause or remedy is missing from ${part.split('\n', 1)[0]}`),
  ];
}

/** Each event type has a section that names its fields, and each close code is in the table. */
function checkStream({ streamEvents, closeCodes }, pages) {
  const text = textOf(pages, STREAM);
  const sections = new Map(sectionsOf(text).map(({ title, body }) => [title, body]));
  const ofTypes = streamEvents.flatMap(({ type, schema }) => {
    const body = sections.get(type);
    if (body === undefined) return [`${STREAM}: there is no section "### ${type}"`];
    const missing = Object.keys(schema.properties).filter(
      (field) => !body.includes(`\`${field}\``),
    );
    return missing.map((field) => `${STREAM}: the section of ${type} lacks ${field}`);
  });
  const codes = closeCodes.filter((code) => !text.includes(`| ${code} |`));
  return [...ofTypes, ...codes.map((code) => `${STREAM}: the close code ${code} is missing`)];
}

/** All variables in the sources are documented, and the pages mention no others. */
function checkVariables({ environment }, pages) {
  const known = [...Object.keys(environment), ...CLIENT_VARIABLES];
  const reference = textOf(pages, CONFIGURATION);
  const missing = readVariables().filter((name) => !reference.includes(`\`${name}\``));
  const invented = pages.flatMap(({ path, text }) =>
    without(text.match(/\bLEDGER_[A-Z_]+\b/g) ?? [], known).map((name) => ({ path, name })),
  );
  return [
    ...missing.map((name) => `${CONFIGURATION}: the variable ${name} is missing`),
    ...invented.map(({ path, name }) => `${path}: the service knows no variable ${name}`),
  ];
}

/** All commands and options shown on the pages exist. */
function checkCommands({ commands }, pages) {
  const groups = [...new Set(commands.map(({ name }) => name.split(' ')[0]))].join('|');
  const run = new RegExp(
    `decision-ledger ((?:${groups})(?![\\w-])(?: [a-z]+\\b)*)([^\\n\`|]*)`,
    'g',
  );
  return pages.flatMap(({ path, text }) =>
    [...text.matchAll(run)].flatMap(([line, words, rest]) => {
      // Commands of a group follow it.
      const command = commands.findLast(({ name }) => `${words} `.startsWith(`${name} `));
      if (command === undefined) return [`${path}: there is no command "${line}"`];
      const unknown = without(rest.match(/(?<=^|\s)--[a-z-]+/g) ?? [], command.options);
      return unknown.map((option) => `${path}: ${command.name} has no option ${option}`);
    }),
  );
}

/** Links to files and headings of this repository are valid. */
function checkLinks(_facts, pages) {
  return pages.flatMap((page) =>
    [...withoutCode(page.text).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
      .filter(([, file, anchor]) => !leadsSomewhere(page, file, anchor))
      .map(([link]) => `${page.path}: the link ${link.slice(1)} leads nowhere`),
  );
}

function leadsSomewhere(page, file, anchor) {
  const target = file === '' ? page.path : join(dirname(page.path), file);
  if (!existsSync(join(ROOT, target))) return false;
  if (anchor === undefined) return true;
  const text = target === page.path ? page.text : readFileSync(join(ROOT, target), 'utf8');
  return sectionsOf(text).some(({ title }) => slug(title) === anchor);
}

function sectionsOf(text) {
  const [, ...parts] = withoutCode(`\n${text}`).split(/\n#+ /);
  return parts.map((part) => {
    const [title, ...lines] = part.split('\n');
    return { title: title.trim(), body: lines.join('\n') };
  });
}

function withoutCode(text) {
  return text.replaceAll(/^```[\s\S]*?^```/gm, '');
}

function without(list, others) {
  return [...new Set(list)].filter((item) => !others.includes(item));
}

function textOf(pages, path) {
  return pages.find((page) => page.path === path)?.text ?? '';
}
