// Writes the types of the client package from the schemas of the contract, so that the published
// declarations need no other package. `--write` updates them; without it, a difference is an error.
// It reads the sources of the contract, because the build fails while the client lacks a type.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import ts from 'typescript';
import { HEADING, jsonTypes } from './support/json-types.js';

const ROOT = join(import.meta.dirname, '..');
const TARGET = 'packages/client/src/api';

/** The modules of the contract and the schemas of each that callers meet. */
const MODULES = {
  shared: ['JsonObject'],
  liability: ['Liability', 'LiabilityHistory', 'LiabilityHistoryQuery'],
  'liability-model': {
    from: 'liability',
    names: ['LiabilityBacktest', 'LiabilityModelQuery', 'LiabilityModelFigures'],
  },
  decision: [
    ...[
      'DecisionBody',
      'BatchDecision',
      'DecisionReceipt',
      'BatchedReceipt',
      'DecisionBatchReceipt',
    ],
    ...['Decision', 'DecisionPage', 'DecisionQuery'],
  ],
  erasure: ['ErasureBody', 'Erasure'],
  'financial-event': [
    ...['FinancialEventBody', 'FinancialEvent', 'FinancialEventPage', 'FinancialEventQuery'],
  ],
  link: [
    'LinkBody',
    'LinkConfirmation',
    'LinkScore',
    'Link',
    'LinkInDetail',
    'LinkPage',
    'LinkQuery',
    'LinkRejection',
    'ReviewedLink',
  ],
  'decision-view': ['DecisionInDetail'],
  review: ['Review', 'ReviewPage', 'ReviewQuery', 'ReviewBody', 'ReviewAnswer'],
  activity: ['Activity', 'ActivityPage', 'ActivityQuery'],
  chain: [
    ...['ChainVerificationQuery', 'DecisionChainVerification', 'ActivityChainVerification'],
    'LastVerifications',
  ],
  'analytics-figures': ['Figures', 'Books'],
  analytics: ['PnlQuery', 'Pnl', 'TimelineQuery', 'Timeline', 'AgentQuery', 'AgentPage'],
  exposure: { from: 'analytics', names: ['ExposureQuery', 'ExposureAnalysis'] },
  'analytics-months': ['MonthQuery', 'MonthPage'],
  'analytics-quality': ['QualityQuery', 'AttributionQuality'],
  'analytics-rows': ['RowsQuery', 'PnlRows'],
  experiment: ['ExperimentListQuery', 'ExperimentPage', 'ExperimentQuery', 'ExperimentAnalysis'],
  export: ['ExportBody', 'Export', 'ExportPage', 'ExportQuery'],
  'signing-key': ['SigningKey', 'SigningKeyPage', 'SigningKeyQuery'],
  key: ['KeyBody', 'Key', 'IssuedKey', 'KeyPage', 'KeyQuery'],
  session: ['Session', 'SessionBody', 'OpenedSession', 'SessionPage', 'SessionQuery'],
  'settings-forms': ['SettingsAnswer', 'SettingsPatch', 'SettingsChange'],
  me: ['Me'],
  search: ['SearchQuery', 'SearchHit', 'SearchPage'],
  accounting: ['ConnectionState', 'ConnectionStates'],
  job: ['DeadJob', 'DeadJobPage', 'DeadJobQuery', 'RetriedJob'],
  service: ['Version'],
  stream: ['StreamTicket'],
};

/** @returns the text of each file under packages/client/src/api, by name, before formatting */
async function clientTypes() {
  const contract = await loadContract();
  const modules = [];
  for (const [file, entry] of Object.entries(MODULES)) {
    const { from = file, names } = Array.isArray(entry) ? { names: entry } : entry;
    const module = contract(from);
    const schemas = names.map((name) => {
      if (module[name] === undefined) throw new Error(`contract/${from} has no ${name}`);
      return { name, schema: module[name] };
    });
    modules.push({ file, schemas });
  }
  const { ERROR_STATUS } = contract('errors');
  const codes = Object.keys(ERROR_STATUS).map((code) => `  '${code}',`);
  const union =
    `/** The error codes of the API. */\nexport const ERROR_CODES = [\n${codes.join('\n')}\n] as const;\n` +
    `\nexport type ErrorCode = (typeof ERROR_CODES)[number];\n`;
  return new Map([...jsonTypes(modules), ['errors.ts', `${HEADING}\n${union}`]]);
}

/** Compiles the sources and imports them. @returns a function that gives a module of the contract */
async function loadContract() {
  const names = Object.entries(MODULES).map(([file, { from = file }]) => from);
  const folder = join(ROOT, 'node_modules/.cache/client-types', String(process.pid));
  const source = (name) => join(ROOT, `packages/contract/src/${name}.ts`);
  const built = await rolldown({
    input: Object.fromEntries([...names, 'errors'].map((name) => [name, source(name)])),
    external: /^typebox/,
    platform: 'node',
    resolve: { alias: { '@decision-ledger/proof': join(ROOT, 'packages/proof/src') } },
    logLevel: 'silent',
  });
  await built.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs' });
  await built.close();
  const modules = new Map();
  for (const name of [...names, 'errors']) {
    modules.set(name, await import(pathToFileURL(join(folder, `${name}.mjs`)).href));
  }
  rmSync(folder, { recursive: true, force: true });
  return (name) => modules.get(name);
}

async function main(args) {
  const files = await clientTypes();
  const folder = join(ROOT, TARGET);
  if (!args.includes('--write')) {
    const different = differences(folder, files);
    for (const name of different) {
      process.stderr.write(`${TARGET}/${name}: run node scripts/client-types.js --write\n`);
    }
    return different.length > 0 ? 1 : 0;
  }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
  execFileSync(join(ROOT, 'node_modules/.bin/biome'), ['format', '--write', folder], { cwd: ROOT });
  return 0;
}

/** The names of files that are missing, superfluous or different, whatever their layout. */
function differences(folder, files) {
  const superfluous = readdirSync(folder).filter((name) => !files.has(name));
  const changed = [...files].filter(([name, text]) => {
    const path = join(folder, name);
    return !existsSync(path) || normal(readFileSync(path, 'utf8')) !== normal(text);
  });
  return [...superfluous, ...changed.map(([name]) => name)];
}

/** The text in the layout of the compiler. */
function normal(text) {
  const file = ts.createSourceFile('types.ts', text, ts.ScriptTarget.Latest);
  // Parentheses and leading bars are layout, too.
  return ts
    .createPrinter()
    .printFile(file)
    .replaceAll(/[()\s|;,]/g, '');
}

process.exitCode = await main(process.argv.slice(2));
