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
import { partOf } from './support/schema-parts.js';

const ROOT = join(import.meta.dirname, '..');
const TARGET = 'packages/client/src/api';

/**
 * The modules of the contract and the schemas of each that callers meet, after those that they use. A table
 * names parts of schemas, by their paths: `[]` is the item of a list, and `{a,b}` are some of the members.
 */
const MODULES = {
  shared: {
    from: ['shared', 'access', 'financial-event'],
    names: [
      ...['JsonObject', 'Timestamp', 'Hash'],
      {
        PageQuery: 'KeyQuery',
        Page: 'KeyPage{next_cursor}',
        RangeQuery: 'FinancialEventQuery{start,end}',
        Permission: 'KeyBody.permissions[]',
      },
    ],
  },
  liability: ['Liability', 'LiabilityHistory', 'LiabilityHistoryQuery'],
  'settings-forms': [
    {
      RateLimits: 'SettingsAnswer.rate_limits',
      ExchangeRate: 'SettingsAnswer.exchange_rates[]',
      AccountingConnection: 'SettingsAnswer.accounting[]',
      LinkTypeRow: 'SettingsAnswer.attribution.link_types[]',
      AttributionSettings: 'SettingsAnswer.attribution',
      LiabilitySettings: 'SettingsAnswer.liability',
      StripeSettings: 'SettingsAnswer.stripe',
      AlertSettings: 'SettingsAnswer.alerts',
      Budget: 'SettingsAnswer.budgets[]',
      AnalyticsSettings: 'SettingsAnswer.analytics',
      StreamSettings: 'SettingsAnswer.stream',
      TransparencySettings: 'SettingsAnswer.transparency',
      OtlpRule: 'SettingsAnswer.otlp.rules[]',
      OtlpSettings: 'SettingsAnswer.otlp',
      RecordingSettings: 'SettingsAnswer.recording',
      ExposureChange: 'SettingsChange.dry_run{decisions,changed,exposure_before,exposure_after}',
    },
    ...['SettingsAnswer', 'SettingsPatch', 'SettingsChange'],
  ],
  'liability-model': {
    from: ['liability'],
    names: [
      { RatioTest: 'LiabilityBacktest.kupiec' },
      ...['LiabilityBacktest', 'LiabilityModelQuery', 'LiabilityModelFigures'],
    ],
  },
  'financial-event': {
    from: ['financial-event', 'same-money'],
    names: [
      ...['FinancialEventBody', 'FinancialEvent', 'Movement', 'PairedMovement'],
      ...['ReportedEvent', 'RelatedEvent', 'FinancialEventPage'],
      ...['FinancialEventQuery', 'PairBody', 'PartBody', 'SameMoneyPage', 'SameMoneyQuery'],
    ],
  },
  explanation: ['SharedIdentifier', 'Explanation', 'ExplanationQuery'],
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
    'MadeLink',
  ],
  decision: {
    from: ['decision', 'erasure', 'decision-view', 'upload'],
    names: [
      'DecisionBody',
      'BatchDecision',
      'DecisionReceipt',
      'BatchedReceipt',
      'RefusedDecision',
      'DecisionBatchReceipt',
      'Decision',
      'DecisionPage',
      'DecisionQuery',
      'DecisionInDetail',
      'UploadBody',
      'Upload',
      'AppendQuery',
      'ErasureBody',
      'Erasure',
    ],
  },
  review: [
    ...['Review', 'ReviewPage', 'ReviewQuery', 'ReviewBody', 'ReviewAnswer'],
    { Decided: 'GivenAnswerPage.decided.own' },
    ...['GivenAnswer', 'GivenAnswerPage', 'GivenAnswerQuery'],
  ],
  chain: {
    from: ['chain'],
    names: [
      ...['Activity', 'ActivityPage', 'ActivityQuery', 'ChainVerificationQuery'],
      ...['DecisionChainVerification', 'ActivityChainVerification'],
      { LastVerification: 'LastVerifications.decisions' },
      'LastVerifications',
    ],
  },
  'analytics-figures': {
    from: ['analytics-figures', 'analytics'],
    names: [
      {
        AnalysisQuery: 'PnlQuery{start,end,agent_id,action_type}',
        FormatQuery: 'PnlQuery{format}',
        PagedAnalysisQuery: 'AgentQuery',
        State: 'Pnl{as_of,activity_seq}',
      },
      ...['Money', 'Figures'],
      {
        LabelledFigures: 'Books{expected,confirmed,matched,guessed}',
        CurrencyAmount: 'Books.unconverted[]',
        CurrencyBooks: 'Books.by_currency[]',
      },
      'Books',
    ],
  },
  analytics: [
    'PnlQuery',
    { Group: 'Pnl.by_agent[]' },
    'Pnl',
    'TimelineQuery',
    {
      Sums: 'AgentPage.agents[].guessed',
      FiguresOfDecisions:
        'AgentPage.agents[]{decisions,mean_confidence,human_review_share,exposure,guessed,unconverted}',
    },
    ...['Timeline', 'AgentQuery', 'AgentPage'],
  ],
  exposure: {
    from: ['analytics', 'analytics-rows'],
    names: ['ExposureQuery', 'ExposureAnalysis', 'ExposureRowsQuery', 'ExposureRows'],
  },
  'running-cost': ['RunningCostQuery', 'RunningCosts'],
  budget: ['BudgetState', 'BudgetStates', 'BudgetCheckQuery', 'BudgetCheck'],
  'analytics-months': ['MonthQuery', { MonthBooks: 'MonthPage.months[].closed' }, 'MonthPage'],
  attribution: {
    from: ['analytics-quality'],
    names: [
      'QualityQuery',
      {
        AuditInterval: 'AttributionQuality.label.precision{low,high,units,effective_units}',
        Proportion: 'AttributionQuality.label.precision',
        Calibration: 'AttributionQuality.calibration',
        AuditedPeriod:
          'AttributionQuality{audits,answered,skipped,unanswered,represented,reason,precision,recall,calibration}',
      },
      'AttributionQuality',
      'AttributionModelQuery',
      'AttributionModel',
    ],
  },
  'analytics-rows': ['RowsQuery', 'PnlRows'],
  experiment: [
    { Estimate: 'ExperimentAnalysis.arms[].mean' },
    ...['ExperimentListQuery', 'ExperimentPage', 'ExperimentQuery', 'ExperimentAnalysis'],
  ],
  export: {
    from: ['export'],
    names: [
      { ExportFilter: 'ExportBody.filter' },
      ...['ExportBody', 'Export', 'ExportPage', 'ExportQuery', 'CustodyQuery'],
      ...['SigningKey', 'SigningKeyPage', 'SigningKeyQuery'],
    ],
  },
  access: {
    from: ['access'],
    names: [
      ...['KeyBody', 'Key', 'IssuedKey', 'KeyPage', 'KeyQuery'],
      ...['Session', 'SessionBody', 'OpenedSession', 'SessionPage', 'SessionQuery', 'Me'],
    ],
  },
  search: ['SearchQuery', 'SearchHit', 'SearchPage'],
  operations: {
    from: ['accounting', 'operations', 'otlp', 'stream'],
    names: [
      ...['WithheldPlan', 'ConnectionState', 'ConnectionStates', 'PlanRelease', 'PendingJobs'],
      ...['FollowerLog', 'FollowerDue', 'FollowerFailure', 'Follower', 'FollowerList'],
      ...['DeadJob', 'DeadJobPage', 'DeadJobQuery', 'RetriedJob', 'Version', 'StreamTicket'],
      ...['SpanAttribute', 'SpanGroup', 'SpanGroups'],
    ],
  },
  transparency: {
    from: ['decision-view', 'transparency'],
    names: [
      ...['PresentationBody', 'DecisionPresentation'],
      ...['Log', 'ConsistencyQuery', 'Consistency', 'DecisionProof'],
    ],
  },
};

/** @returns the text of each file under packages/client/src/api, by name, before formatting */
async function clientTypes() {
  const contract = await loadContract();
  const modules = Object.entries(MODULES).map(([file, entry]) => {
    const { from, names } = readEntry(file, entry);
    const schemas = Object.assign({}, ...from.map(contract));
    const schemaOf = (name) => {
      if (schemas[name] === undefined) throw new Error(`contract/${from} has no ${name}`);
      return schemas[name];
    };
    return { file, schemas: names.flatMap((name) => namedSchemas(name, schemaOf)) };
  });
  const { ERROR_STATUS } = contract('errors');
  const codes = Object.keys(ERROR_STATUS).map((code) => `  '${code}',`);
  const union =
    `/** The error codes of the API. */\nexport const ERROR_CODES = [\n${codes.join('\n')}\n] as const;\n` +
    `\nexport type ErrorCode = (typeof ERROR_CODES)[number];\n`;
  return new Map([...jsonTypes(modules), ['errors.ts', `${HEADING}\n${union}`]]);
}

function readEntry(file, entry) {
  return Array.isArray(entry) ? { from: [file], names: entry } : entry;
}

/** @param named a schema of the contract, or a table of parts */
function namedSchemas(named, schemaOf) {
  if (typeof named === 'string') return [{ name: named, schema: schemaOf(named) }];
  return Object.entries(named).map(([name, path]) => ({
    name,
    schema: partOf(path, schemaOf),
    isPart: path.endsWith('}'),
  }));
}

/** Compiles the sources and imports them. @returns a function that gives a module of the contract */
async function loadContract() {
  const names = Object.entries(MODULES).flatMap(([file, entry]) => readEntry(file, entry).from);
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
