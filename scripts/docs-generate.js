// The facts that the documentation takes from the code, and the Markdown blocks generated from them.
import diagnostics from 'node:diagnostics_channel';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { commandSections, readCommands } from './docs-commands.js';
import { settingRows } from './docs-settings.js';

const ROOT = join(import.meta.dirname, '..');
const PREFIX = '/api/v1';

/** Reads all facts that the documentation is checked against. Needs the build, but no database. */
export async function readFacts() {
  const { descriptionOf } = await import('#server/config');
  const { Environment } = await import('#server/environment');
  const { Settings } = await import('@decision-ledger/contract/settings');
  const { ERROR_STATUS } = await import('@decision-ledger/contract/errors');
  const { CLOSE_CODES } = await import('@decision-ledger/contract/stream');
  const { STREAM_EVENTS } = await import('@decision-ledger/contract/stream-events');
  const { LIMITS } = await import('@decision-ledger/contract/limits');
  const { PERMISSIONS } = await import('@decision-ledger/contract/permissions');
  const { MAX_DEPTH } = await import('@decision-ledger/proof/gate');
  const { TABLES } = await import('#server/tables/registry');
  const { FINDINGS } = await import('@decision-ledger/verifier/report/codes');
  const terms = await import('#server/domains/record/decisions/rules/metadata');
  const { createMetrics } = await import('#server/platform/metrics');
  const metrics = createMetrics();
  metrics.watchPool(() => ({ inUse: 0, idle: 0, max: 0, waiting: 0 }));
  return {
    environment: Environment.properties,
    descriptionOf,
    settings: Settings,
    errors: ERROR_STATUS,
    limits: { ...LIMITS, depth: MAX_DEPTH, metadataTerms: terms.MAX_METADATA_TERMS },
    permissions: PERMISSIONS,
    tables: TABLES,
    findings: FINDINGS,
    streamEvents: STREAM_EVENTS,
    closeCodes: Object.values(CLOSE_CODES),
    metrics: metrics.registry.getMetricsAsArray(),
    ...(await readDescription(metrics)),
    commands: await readCommands(),
    outcomes: JSON.parse(readFileSync(join(ROOT, 'vectors/outcomes.json'), 'utf8')),
    values: JSON.parse(readFileSync(join(ROOT, 'vectors/values.json'), 'utf8')),
  };
}

const IDLE = { connections: 1, requestSeconds: 1, bodyBytes: 0 };

/** The operations of the OpenAPI description, with the permission that each requires, and its common parts. */
async function readDescription(metrics) {
  const { createApp } = await import('#server/app');
  const configs = new Map();
  const collect = ({ fastify }) =>
    fastify.addHook('onRoute', ({ method, url, config }) => {
      // The description names a wildcard.
      const path = url.replace('*', ':path');
      for (const name of [method].flat()) configs.set(`${name} ${path}`, config ?? {});
    });
  diagnostics.subscribe('fastify.initialization', collect);
  const { pino } = createRequire(join(ROOT, 'packages/server/package.json'))('pino');
  const keyring = idleKeyring(await import('#server/platform/keyring/keyring'));
  const service = idleService(metrics, keyring);
  const config = { trustProxy: [], intake: IDLE };
  const app = await createApp(service, config, pino({ level: 'silent' }));
  await app.ready();
  diagnostics.unsubscribe('fastify.initialization', collect);
  const { info, paths, components } = app.swagger();
  const endpoints = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, described]) => {
      const name = method.toUpperCase();
      const config = configs.get(`${name} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`) ?? {};
      return { method: name, path, operation: withSchemas(described, components.schemas), config };
    }),
  );
  await app.close();
  const { headers, examples } = components;
  return { version: info.version, headers, examples, endpoints: mergeEndpoints(endpoints) };
}

/** Replaces references to schemas by the schemas. */
function withSchemas(node, schemas) {
  if (Array.isArray(node)) return node.map((part) => withSchemas(part, schemas));
  if (typeof node !== 'object' || node === null) return node;
  const [, name] = /^#\/components\/schemas\/(\w+)$/.exec(node.$ref ?? '') ?? [];
  if (name !== undefined) return withSchemas(schemas[name], schemas);
  const members = Object.entries(node).map(([key, part]) => [key, withSchemas(part, schemas)]);
  return Object.fromEntries(members);
}

/** Removes the prefix from paths; an operation with and without it is one endpoint. */
function mergeEndpoints(endpoints) {
  const merged = new Map();
  for (const { method, path, ...rest } of endpoints) {
    const short = path.startsWith(PREFIX) ? path.slice(PREFIX.length) : path;
    const name = `${method} ${short}`;
    merged.set(name, { name, method, path: short, address: path, ...rest });
  }
  // Endpoints without a key come last.
  const isOpen = ({ config }) => Number(config.permission === undefined);
  return [...merged.values()].sort((a, b) => isOpen(a) - isOpen(b));
}

/** A service that only declares its routes. */
function idleService(metrics, keyring) {
  return {
    metrics,
    ids: { next: () => 'req_0' },
    clock: { now: () => 0 },
    keyring,
    storage: { address: { kind: 'embedded', socketPath: '' } },
    db: { pool: () => ({ max: 1 }) },
  };
}

function idleKeyring({ Keyring, KEPT }) {
  const keyring = new Keyring([Buffer.alloc(32)]);
  keyring.adopt('', new Map(KEPT.map((purpose) => [purpose, Buffer.alloc(32)])));
  return keyring;
}

/** Names of the environment variables in the sources. */
export function readVariables() {
  const folders = ['contract/src', 'proof/src', 'server/src', 'server/bin'];
  const names = folders.flatMap(filesIn).flatMap((file) => {
    const pattern = /\b(?:LEDGER_[A-Z_]+|DATABASE_(?:DIRECT_|READ_)?URL)\b|process\.env\.(\w+)/g;
    const found = readFileSync(file, 'utf8').matchAll(pattern);
    return Array.from(found, ([whole, name]) => name ?? whole);
  });
  return [...new Set(names)].sort();
}

function filesIn(folder) {
  const path = join(ROOT, 'packages', folder);
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

const LIMIT_LABELS = {
  bodyBytes: 'Body of a request',
  batchBodyBytes: 'Body of `POST /decisions/batch`',
  bodyValues: 'JSON values in a body: each number, text, object, array and so on',
  bodyMembers: 'Members of all objects in a body, together',
  errorFields: 'Fields that an error names; others may be wrong as well',
  payloadFieldBytes: 'Each of `inputs`, `outputs`, `alternatives`, `metadata`, as canonical JSON',
  batchDecisions: 'Decisions in a batch; at least 1',
  uploadBytes: 'An upload',
  openUploadBytes: 'All uploads of a ledger that no decision has taken yet',
  openUploads: 'Their number',
  uploadChunkBytes: 'A chunk of an upload; every one but the last has so many bytes',
  uploadHeadBytes: 'How much of an upload the decision shows, as it begins',
  uploadHours: 'How long an upload waits for its decision, in hours',
  otlpBodyBytes: 'Body of `POST /v1/traces`, as received and unpacked',
  otlpSpans: 'Spans of `POST /v1/traces`',
  otlpValues: 'Attributes, elements and events of all spans of `POST /v1/traces`',
  otlpSpanValues: 'The same of one span',
  otlpDepth: 'Arrays and maps inside each other, in an attribute of a span',
  spanGroups: 'Groups with a scope in `GET /otlp/spans`',
  spanGroupAttributes: 'Attributes of one of them',
  pageDefault: 'Items on a page, unless `limit` is given',
  pageMax: 'Items on a page at most',
  futureMs: 'How far ahead of the clock a `timestamp` may lie',
  idempotencyKeyChars: 'Characters of an `Idempotency-Key`; at least 1',
  streamPingsPerMinute: 'Pings and pongs a minute on a connection to the stream',
  depth: 'Objects and arrays inside each other, in one of those four fields',
  metadataTerms: 'Members of `metadata` that a filter finds; further ones are only stored',
};

const WAY_LABELS = {
  api: 'API',
  'ai-sdk': 'AI SDK',
  langchain: 'LangChain',
  'openai-agents': 'OpenAI Agents',
  'claude-agent': 'Claude Agent',
  'python-langchain': 'Python: LangChain',
  'python-openai-agents': 'Python: OpenAI Agents',
  'python-pydantic-ai': 'Python: pydantic-ai',
  'mcp-proxy': 'MCP proxy',
  'mcp-server': 'MCP server',
  otlp: 'OpenTelemetry',
};

const VALUE_WAYS = {
  typescript: 'TypeScript',
  python: 'Python',
  numpy: 'numpy',
  pandas: 'pandas',
  pydantic: 'pydantic',
  'json-text': 'JSON text',
  otlp: 'OTLP',
};

/** The beginning of a long value. */
const shortened = (text) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

function wayLabel(way) {
  const label = WAY_LABELS[way];
  if (label === undefined) throw new Error(`scripts/docs-generate.js has no label for ${way}`);
  return label;
}

function limitLabel(name) {
  const label = LIMIT_LABELS[name];
  if (label === undefined) throw new Error(`scripts/docs-generate.js has no label for ${name}`);
  return label;
}

/** The generators of the blocks, by name. `kept` returns the handwritten last cell of a row. */
export const BLOCKS = {
  limits: ({ limits }) =>
    table(
      ['Of what', 'Limit'],
      Object.entries(limits).map(([name, value]) => [limitLabel(name), measure(name, value)]),
    ),
  permissions: ({ permissions }, kept) =>
    table(
      ['Permission', 'Allows'],
      permissions.map((name) => [code(name), kept(name)]),
    ),
  outcomes: ({ outcomes: { ways, cases } }) =>
    table(
      ['What a framework reports', ...ways.map(wayLabel)],
      cases.map(({ name, recorded }) => [
        name,
        ...ways.map((way) => recorded.find((form) => form.ways.includes(way))?.outcome ?? '–'),
      ]),
    ),
  values: ({ values: { cases } }) =>
    table(
      ['Value', 'Recorded', 'Marked', ...Object.values(VALUE_WAYS), 'API'],
      cases.map(({ name, ways, becomes, degraded, refused }) => [
        name,
        code(shortened(JSON.stringify(becomes))),
        degraded.length > 0 ? 'yes' : 'no',
        ...Object.keys(VALUE_WAYS).map((way) => (ways.includes(way) ? '✓' : '–')),
        refused === undefined ? '–' : 'refused',
      ]),
    ),
  environment: ({ environment, descriptionOf }) =>
    table(
      ['Variable', 'Default', 'Meaning'],
      Object.entries(environment).map(([name, schema]) => [
        code(name),
        code(schema.default),
        `${descriptionOf(schema)}${choices(schema)}`,
      ]),
    ),
};

/** The pages of the reference that list what the code has, by name: only the site has them. */
export const LISTS = {
  commands: ({ commands }) =>
    '# Every command\n\nWhat `--help` prints. [Command line](../command-line.md) says what the commands have in common.' +
    `\n\n${commandSections(commands)}`,
  settings: ({ settings }) =>
    '# Every setting\n\n[Configuration](../configuration.md#settings) says how settings are read and changed.\n\n' +
    table(['Setting', 'Default', 'Allowed', 'Meaning'], settingRows(settings)),
  metrics: ({ metrics }) =>
    '# Every metric\n\n[Monitoring](../monitoring.md) has alert rules and a dashboard.\n\n' +
    table(['Metric', 'Kind', 'Labels', 'Meaning'], metricRows(metrics)),
  findings: ({ findings }) =>
    '# Every finding\n\n[Checking a bundle](../verifier.md) says what the verifier checks.\n\n' +
    table(
      ['Code', 'What it says'],
      Object.entries(findings).map(([name, text]) => [code(name), text]),
    ),
};

/** The metrics of the service, without the standard ones of the library. */
export function metricRows(metrics) {
  return metrics
    .filter(({ name }) => name.startsWith('ledger_'))
    .map(({ name, type, labelNames, help }) => [
      code(name),
      type,
      labelNames.length === 0 ? '–' : labelNames.map(code).join(', '),
      help,
    ]);
}

function table(head, rows) {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function code(value) {
  return value === undefined ? '–' : `\`${value}\``;
}

function choices(schema) {
  return schema.enum === undefined ? '' : ` One of ${schema.enum.map(code).join(', ')}.`;
}

function measure(name, value) {
  if (name.endsWith('Ms')) return `${value / 60_000} minutes`;
  if (!name.endsWith('Bytes')) return String(value);
  return value >= 1024 ** 2 ? `${value / 1024 ** 2} MiB` : `${value / 1024} KiB`;
}
