import { basename } from 'node:path';
import process from 'node:process';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { findPostgres } from './packages/server/test/support/postgres-install.js';
import { memoryFolder } from './scripts/support/memory-folder.js';
import { fromSources } from './scripts/support/vitest-sources.js';

const memory = memoryFolder();
/** Nothing that these kinds write has to reach a disk. */
const inMemory = memory === undefined ? {} : { env: { TMPDIR: memory } };

const postgres = ['packages/server/test/support/postgres-global.ts'];

/**
 * Ten times as long as by default before a function is optimised: most code of tests runs too few times to be worth
 * it. That saves a twelfth of their processor time. Later releases of Node.js lack the flag.
 */
const optimisedLate = process.versions.node.startsWith('20.') ? ['--interrupt-budget=600000'] : [];

/** Checks each statement that the service sends, in the process of the tests and in its threads. */
const STATEMENTS = 'packages/server/test/statements';
const observed = {
  setupFiles: [`${STATEMENTS}/observe.ts`],
  execArgv: [
    ...optimisedLate,
    ...['--import', new URL(`${STATEMENTS}/tell.js`, import.meta.url).href],
  ],
};

/**
 * How long a test, a hook and a condition that a test waits for may take. Nothing takes nearly as long, so that a busy
 * machine breaks no test: only what never ends does. A test names a limit only if it needs a longer one.
 */
const LIMIT_MS = { test: 300_000, condition: 120_000 };

/** Each kind is a project, and its name is the end of its files' names; those of the engines belong to two. */
const kinds = [
  /** Pure: no engine, no network, no process. */
  { name: 'unit', maxWorkers: 2, execArgv: optimisedLate },
  /** On the embedded engine, which keeps a core busy by itself. */
  {
    ...{ name: 'int', maxWorkers: 2, ...inMemory },
    provide: { engine: 'embedded' as const },
    ...observed,
    setupFiles: ['packages/server/test/support/keep-engine-code.js', ...observed.setupFiles],
    // As in `run.js`, which these do not run.
    execArgv: ['--wasm-tiering-budget=300000000', ...observed.execArgv],
  },
  /** On a real PostgreSQL server, which the files share: one that stops a server starts its own. */
  {
    ...{ name: 'pg', maxWorkers: 4, globalSetup: postgres, ...inMemory },
    // Tests of one file that run together spend their time waiting until a dead worker is missed.
    maxConcurrency: 12,
    provide: { engine: 'postgres' as const },
    ...observed,
  },
  /** On a coordinator and two workers of Citus, with `LEDGER_TEST_CITUS`: `npm run test:long`. */
  {
    ...{ name: 'citus', maxWorkers: 2, globalSetup: postgres, ...inMemory },
    provide: { engine: 'postgres' as const },
    ...observed,
    setupFiles: [...observed.setupFiles, `${STATEMENTS}/tasks.ts`],
  },
  /** Those that hold the service to a time: nothing else may take it from them. */
  { name: 'alone.pg', maxWorkers: 1, globalSetup: postgres },
  /** The built service as a process. A test waits for a process while the other one looks at answers. */
  { name: 'e2e', maxWorkers: 3, ...inMemory },
  { name: 'alone.e2e', maxWorkers: 1 },
  /** A hundred thousand decisions and more: `npm run test:long`. */
  { name: 'long', maxWorkers: 1, testTimeout: 3_600_000, globalSetup: postgres },
];

type Files = { readonly include: string[]; readonly exclude: string[] };

/** Files that kill, restart or wait, or that need many data or cases: the quick run leaves them to the rest. */
const LATER = [
  // The quick run has the same suites on PostgreSQL.
  ...['master-key.int', 'metrics.int', 'page-bytes.int'],
  ...['accounting-poll-crash.engine', 'attribution-crash.engine', 'exports-memory.engine'],
  ...['bundles.engine', 'jobs.engine', 'statements.engine', 'file-store-bucket.int'],
  ...['master-key.pg', 'other-bundles.int', 'unreachable.pg'],
  ...['accounting-queue.int', 'body-memory.int', 'concurrent-writers.int', 'data-folder.int'],
  ...['installation.int', 'jobs.int', 'prepared-database.int', 'purge.int', 'verify-limits.int'],
  ...['wire.int', 'pooler.pg', 'replica.pg', 'commit-unknown.pg', 'concurrent-writers.pg'],
  ...['jobs.pg', 'postgres-server.pg', 'purge.pg'],
  ...['random-run.engine', 'answer-policy.int', 'inspect.int', 'installation.pg'],
  ...['filtered-attacks.int', 'chosen-by-chain.int', 'exports-failures.int', 'shared-cache.int'],
  ...['movement-attacks.int', 'movement-changes.int', 'orders.int'],
  ...['attribution-label.int', 'attribution-quality.int', 'bad-input-money-any.int'],
  ...['attribution-review.int', 'experiments.int', 'first-estimates.int', 'known-estimates.int'],
  ...['rebuild.int', 'settings-values.int', 'event-reviews.int', 'analytics-months.int'],
  'stream-handshake.int',
  ...['experiments-history.int', 'export-lanes.int', 'exposure-rows.int', 'liability-years.int'],
  ...['filtered-exports.engine', 'filtered-exports-any.engine', 'where-it-runs.engine'],
  ...['analytics.engine', 'attribution-models.int', 'checkpoints.int'],
  ...['stream.engine', 'stripe-orders.engine', 'tampering.engine'],
  ...['service-routes.pg', 'server-away.pg', 'stream-processes.pg', 'transparency-crash.engine'],
  ...['transparency-kill.pg', 'worker-kill.pg', 'kill-under-load.pg', 'backup.pg', 'upgrade.pg'],
  ...['analytics-books.int', 'attribution-property.int', 'bad-input-any.int', 'money-stored.int'],
  ...['attribution-late.int', 'attribution-learning.int', 'attribution-recomputed.int'],
  ...['analytics-money.int', 'attacks.int', 'bundle-logs.int', 'carried-links.int'],
  ...['money-signs.int', 'otlp-mapping.int', 'rate-limits.int', 'dry-runs.int'],
  ...['logins.pg', 'schemas.pg', 'rebuild.pg', 'page-bytes.pg', 'closings.engine'],
  ...['decided-ranges.engine', 'accounting-poll.int', 'accounting-histories.int', 'otlp-sdk.int'],
  ...['exports.engine', 'followers.engine', 'migrate.pg', 'database-defaults.pg', 'readme.pg'],
  ...['accounting-quickbooks.int', 'accounting-poll-quickbooks.int', 'drift-delivery.int'],
  ...['folder-lock.int', 'database-close.int', 'body-size.int', 'settings-secrets.int'],
  ...['otlp-hostile.int', 'vectors.unit', 'stripe-pull.int', 'analytics-reported.int'],
  ...['failure-alerts.int', 'what-is-stored.int', 'custody.int', 'tamper.engine', 'seals.engine'],
  ...['money-lists.engine', 'nightly.engine', 'recounts.engine', 'transparency.engine'],
  ...['every-byte.unit', 'examples.unit'],
];

/** Files that only the long run has in full: the quick run has a tenth of the runs of a property, and the rest a fifth. */
const IN_PARTS = [
  'every-byte.unit',
  ...['analytics-books.int', 'attribution-property.int', 'bad-input-any.int', 'money-stored.int'],
  ...['bad-input-money-any.int', 'exposure-rows.int', 'whole-page.unit'],
  ...['worker-kill.e2e', 'nightly-kill.e2e', 'evidence.e2e', 'build.e2e', 'master-key.e2e'],
  ...['installation.e2e', 'orders.int', 'movements.engine', 'site.e2e'],
];

/**
 * Long suites of rules, whose statements are the same on either engine: figures, lists and files of exports, random
 * and exhaustive searches, changes of rows that checks find, and failures between two statements, which a wrapper of
 * the database makes; and jobs, followers and the stream, of which the embedded engine has suites of its own. They run
 * on one engine, in full, and on the other one in the long run. Both have the random sequences of `model.engine`, which
 * calls every operation and makes every type of bundle, the suites of isolation, sessions, erasures and due work, other
 * suites of the same domains, and kills of the engine itself.
 */
const ON_ONE_ENGINE = [
  ...['accounting-poll-crash.engine', 'attribution-crash.engine', 'transparency-crash.engine'],
  ...['filtered-exports.engine', 'filtered-exports-any.engine', 'decided-ranges.engine'],
  ...['bundles.engine', 'recounts.engine'],
  ...['statements.engine', 'presentations.engine', 'insurance-parts.engine'],
  ...['compliance-parts.engine', 'random-run.engine', 'seals.engine'],
  ...['stripe-orders.engine', 'stripe-webhook.engine', 'tamper.engine', 'tampering.engine'],
  ...['money-lists.engine', 'money-changes.engine', 'analytics.engine', 'nightly.engine'],
  ...['exports.engine', 'exports-memory.engine', 'transparency.engine', 'restores.engine'],
  ...['closings.engine', 'liability.engine', 'alerts.engine'],
  ...['where-it-runs.engine', 'followers.engine', 'stream.engine', 'jobs.engine'],
  'movements.engine',
  // With the same suite in a file of PostgreSQL.
  ...['master-key.int', 'page-bytes.int'],
];

/** All that the quick run has of the end-to-end tests. */
const SMOKE = ['smoke.e2e'];

/**
 * The packages whose unit tests the long run repeats on the newest Node.js: the rules of the service use no module of
 * it.
 */
const UNITS_BY_RELEASE = ['client', 'contract', 'embedded', 'proof', 'verifier'];

/**
 * Of these packages: what the compiler says of examples, each byte of a bundle, which asks the same of Node.js each
 * time, and the rules by which the verifier judges what it has read and hashed.
 */
const SAME_BY_RELEASE = [
  ...['examples.unit', 'every-byte.unit', 'findings.unit', 'operator.unit', 'compliance*.unit'],
  ...['insurance-logs.unit', 'logs.unit', 'histories.unit', 'lateness*.unit', 'previous*.unit'],
  ...['agent-statement.unit', 'codes.unit', 'custody.unit'],
];

/**
 * What may differ between releases of Node.js: WebAssembly and threads, sockets and HTTP,
 * files, cryptography, compression, numbers as text, calendars, and the libraries that are used for them. The
 * built service is started too.
 */
const BY_RELEASE = [
  ...['folder-lock.int', 'migrate.int', 'outbound.int', 'http-edges.int', 'bad-input-wire.int'],
  ...['json-texts.int', 'stream-client.int', 'stream-upgrade.int', 'file-store-folder.int'],
  // The Vercel AI SDK needs more than the oldest supported release.
  ...['ai-sdk.unit', 'agent-examples.e2e'],
  ...SMOKE,
];

/** More of the same, which the long run has on the newest Node.js. */
const MORE_BY_RELEASE = [
  ...['body-size.int', 'stream-handshake.int', 'settings-secrets.int', 'file-store-bucket.int'],
  ...['exports-failures.int', 'liability-recomputed.int', 'service-routes.int'],
  ...['key-secrecy.int', 'analytics-months.int', 'money-parts.int'],
];

/** The project that has the engines' tests in the quick run: PostgreSQL takes half of the time. */
const QUICK = 'reason' in findPostgres() ? 'int' : 'pg';

/** What a run of many files leaves out on the engine that does not have the quick run. */
const elsewhere = (kind: string) =>
  kind === QUICK || kind === 'citus' ? [] : ON_ONE_ENGINE.map(file);

/** What a cluster leaves out: these start servers of their own, or ask about those, whatever the tests of the others run on. */
const ON_OTHER_SERVERS = [
  ...['kill-under-load.pg', 'logins.pg', 'migrate.pg', 'pooler.pg', 'postgres-server.pg'],
  ...['replica.pg', 'schemas.pg', 'server-away.pg', 'unreachable.pg', 'purge.pg', 'backup.pg'],
];

const NO_FILES: Files = { include: [], exclude: [] };

/** What a run takes of a kind: `fast` and `rest` are parts, which together have every file of `all`. */
const speeds: Readonly<Record<string, (kind: string) => Files>> = {
  /** A file that somebody names. */
  named: allOf,
  all(kind) {
    const { include, exclude } = allOf(kind);
    return { include, exclude: [...exclude, ...elsewhere(kind)] };
  },
  fast(kind) {
    if (kind === 'e2e') return { include: SMOKE.map(file), exclude: [] };
    if (kind !== 'unit' && kind !== 'int' && kind !== 'pg') return NO_FILES;
    const ends = kind === QUICK ? endsOf(kind) : [kind];
    const exclude = ['**/*.alone.*', ...LATER.map(file)];
    return { include: ends.map((end) => file(`*.${end}`)), exclude };
  },
  /** For the long run: what all other runs leave out. */
  elsewhere(kind) {
    const ends = endsOf(kind);
    const parts = IN_PARTS.filter((name) => ends.includes(name.replace(/^.*\./, ''))).map(file);
    const suites = ends.includes('engine') ? elsewhere(kind) : [];
    return { include: [...suites, ...parts], exclude: [] };
  },
  newest(kind) {
    const names = BY_RELEASE.filter((name) => name.endsWith(`.${kind}`));
    return { include: names.map(file), exclude: ['**/*.alone.*'] };
  },
  /** For the long run. */
  newestMore(kind) {
    if (kind === 'int') return { include: MORE_BY_RELEASE.map(file), exclude: [] };
    if (kind !== 'unit') return NO_FILES;
    const packages = `packages/{${UNITS_BY_RELEASE.join()}}`;
    const exclude = SAME_BY_RELEASE.map(file);
    return { include: [`${packages}/test/**/*.unit.test.ts`], exclude };
  },
  rest(kind) {
    if (kind.startsWith('alone.')) return allOf(kind);
    const exclude = ['**/*.alone.*', ...SMOKE.map(file), ...elsewhere(kind)];
    if (kind === 'e2e') return { include: [file('*.e2e')], exclude };
    const ends = endsOf(kind);
    const left = LATER.filter((name) => ends.includes(name.replace(/^.*\./, '')));
    const other = ends.includes('engine') && kind !== QUICK ? ['*.engine'] : [];
    return { include: [...left, ...other].map(file), exclude };
  },
};

const filesOf = speeds[process.env.TEST_SPEED ?? 'named'];
if (filesOf === undefined)
  throw new Error(`TEST_SPEED is one of ${Object.keys(speeds).join(', ')}`);

function allOf(kind: string): Files {
  const include = endsOf(kind).map((end) => file(`*.${end}`));
  const others = kind === 'citus' ? ON_OTHER_SERVERS.map(file) : [];
  return { include, exclude: kind.startsWith('alone.') ? [] : ['**/*.alone.*', ...others] };
}

/** The files of the engines are run by all projects that have one, and those of a server on a cluster, too. */
function endsOf(kind: string): string[] {
  if (kind === 'citus') return [kind, 'pg', 'engine'];
  return kind === 'int' || kind === 'pg' ? [kind, 'engine'] : [kind];
}

function file(name: string): string {
  return `packages/*/test/**/${name}.test.ts`;
}

/** The files that take longest, of whatever kind. A name that is missing here costs time, and nothing else. */
const LONGEST = [
  'kill-under-load',
  'import-money',
  'evidence',
  'stripe-orders',
  'isolation',
  'master-key',
  'purge',
  'jobs',
  'worker-kill',
  'command-line',
  'data-folder',
];

/** Starts what takes longest first, so that nothing long is left for the end, when only it runs. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const kind = (file: TestSpecification) => file.project.config.sequence.groupOrder;
    return sorted.sort((a, b) => kind(a) - kind(b) || rank(a) - rank(b));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const place = LONGEST.indexOf(basename(moduleId).replace(/\..*$/, ''));
  return place === -1 ? LONGEST.length : place;
}

/** `vitest --mode source` tests the sources, anything else what was built, which takes less time to load. */
export default defineConfig(({ mode }) => ({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: kinds.map((kind, order) => ({
      ...(mode === 'source' && fromSources()),
      test: {
        ...filesOf(kind.name),
        pool: 'forks' as const,
        // A process runs many files: to read the service anew takes longer than most files' tests.
        isolate: false,
        // What is built needs no work before it runs.
        server: { deps: { external: [/\/packages\/[a-z]+\/dist\//] } },
        sequence: { groupOrder: order },
        testTimeout: LIMIT_MS.test,
        hookTimeout: LIMIT_MS.test,
        expect: { poll: { timeout: LIMIT_MS.condition } },
        teardownTimeout: 60_000,
        ...kind,
      },
    })),
  },
}));
