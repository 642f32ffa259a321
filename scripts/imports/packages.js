// The allowed imports of each package.

import { forbid } from './forbid.js';

const VERIFIER = '^packages/verifier/src/';
const ENGINE = '^packages/(amounts|attribution|experiments|liability)/src/';
const NUMERICS = '^packages/numerics/src/';

const NODE_OF_CLIENT = '^packages/client/src/node/';
/** The entry points of the client for frameworks of agents, and their optional peer dependencies. */
const AGENT_FRAMEWORKS = [
  { entry: 'ai-sdk', library: '(^|/)node_modules/ai/' },
  { entry: 'langchain', library: '(^|/)node_modules/@langchain/core/' },
  { entry: 'openai-agents', library: '(^|/)node_modules/@openai/agents/' },
];

function entryOf({ entry }) {
  return `^packages/client/src/${entry}\\.ts$`;
}

const packages = [
  forbid(
    'proof-is-pure',
    'Every verifier shares it: nothing but itself.',
    { path: '^packages/proof/src/', pathNot: '^packages/proof/src/hash\\.ts$' },
    { pathNot: '^packages/proof/src/' },
  ),
  forbid(
    'proof-hashes-in-one-place',
    'hash.ts alone may use node:crypto.',
    { path: '^packages/proof/src/hash\\.ts$' },
    { pathNot: ['^packages/proof/src/', '^(node:)?crypto$'] },
  ),
  forbid(
    'embedded-stands-alone',
    'The embedded engine: PGlite and Node.js, and the types of the driver.',
    { path: '^packages/embedded/src/' },
    {
      pathNot: ['^packages/embedded/src/', '(^|/)node_modules/@electric-sql/pglite/'],
      dependencyTypesNot: ['core', 'type-only'],
    },
  ),
  forbid(
    'client-stands-alone',
    'The client library brings nothing along, and runs where there is no Node.js.',
    { path: '^packages/client/src/', pathNot: [NODE_OF_CLIENT, ...AGENT_FRAMEWORKS.map(entryOf)] },
    { pathNot: '^packages/client/src/' },
  ),
  ...AGENT_FRAMEWORKS.map((framework) =>
    forbid(
      `client-with-${framework.entry}`,
      'An entry point for a framework of agents may use that framework, which the application has.',
      { path: entryOf(framework) },
      { pathNot: ['^packages/client/src/', framework.library] },
    ),
  ),
  forbid(
    'client-without-frameworks',
    'Nothing else in the client loads an entry point for a framework.',
    { path: '^packages/client/src/' },
    { path: AGENT_FRAMEWORKS.map(entryOf) },
  ),
  forbid(
    'client-on-node',
    'node/ may use Node.js besides.',
    { path: '^packages/client/src/node/' },
    { pathNot: '^packages/client/src/', dependencyTypesNot: ['core'] },
  ),
  forbid(
    'client-node-from-its-entry',
    'Only the entry point for Node.js loads node/.',
    { path: '^packages/client/src/', pathNot: '^packages/client/src/node(/|\\.ts$)' },
    { path: '^packages/client/src/node(/|\\.ts$)' },
  ),
  forbid(
    'contract-is-pure',
    'Schemas and codes: typebox, and from the proof the types of export and of activity.',
    { path: '^packages/contract/src/' },
    {
      pathNot: [
        '^packages/contract/src/',
        '^packages/proof/src/(bundle/format|activity-types)\\.ts$',
        '(^|/)node_modules/typebox/',
      ],
    },
  ),
];

const verifier = [
  forbid(
    'verifier-stands-alone',
    'The verifier: proof and a ZIP reader, so that nobody has to trust more than that.',
    { path: VERIFIER, pathNot: `${VERIFIER}(cli/|page/hash\\.ts$|archive/inflate\\.ts$)` },
    { pathNot: [VERIFIER, '^packages/proof/src/', '(^|/)node_modules/@zip\\.js/'] },
  ),
  forbid(
    'verifier-on-the-command-line',
    'cli/ may use Node.js besides.',
    { path: `${VERIFIER}cli/` },
    { pathNot: VERIFIER, dependencyTypesNot: ['core'] },
  ),
  forbid(
    'verifier-hashes-in-the-page',
    'page/hash.ts takes the place of hash.ts of proof, and needs the hashes of a browser.',
    { path: `${VERIFIER}page/hash\\.ts$` },
    { pathNot: ['^packages/proof/src/hash\\.ts$', '(^|/)node_modules/@noble/hashes/'] },
  ),
  forbid(
    'verifier-inflates-on-node',
    'archive/inflate.ts needs the inflater of Node.js; page/inflate.ts takes its place in the page.',
    { path: `${VERIFIER}archive/inflate\\.ts$` },
    { pathNot: '^zlib$' },
  ),
  forbid(
    'verifier-archive-stands-alone',
    'archive/ reads archives and reports findings; it knows nothing of what is in a bundle.',
    { path: `${VERIFIER}archive/` },
    { path: VERIFIER, pathNot: `${VERIFIER}(archive|report)/` },
  ),
  forbid(
    'verifier-from-above',
    'Only cli/ and page/ call the verifier, and nothing calls them.',
    { path: VERIFIER, pathNot: `${VERIFIER}(cli|page)/` },
    { path: `${VERIFIER}(cli|page)/` },
  ),
];

const DASHBOARD = '^packages/dashboard/src/';
const PAGE = `${DASHBOARD}pages/([^/]+)/`;

const dashboard = [
  forbid(
    'dashboard-stands-on-the-client',
    'The dashboard: the client library, rows of CSV and libraries of the browser, no other package, no Node.js.',
    { path: DASHBOARD },
    {
      path: '^packages/|^(node:)?[a-z_]+$',
      pathNot: [DASHBOARD, '^packages/client/', '^packages/contract/src/csv\\.ts$'],
    },
  ),
  forbid(
    'dashboard-formats-are-pure',
    'format/ turns values into text and needs nothing.',
    { path: `${DASHBOARD}format/` },
    { pathNot: `${DASHBOARD}format/` },
  ),
  forbid(
    'dashboard-charts-know-no-ledger',
    'charts/ draws what it is given.',
    { path: `${DASHBOARD}charts/` },
    { path: '^packages/', pathNot: `${DASHBOARD}(charts|format)/` },
  ),
  forbid(
    'dashboard-pages-stand-alone',
    'A page imports no other page: what two of them need is a component.',
    { path: PAGE },
    { path: `${DASHBOARD}pages/`, pathNot: `${DASHBOARD}pages/$1/` },
  ),
  forbid(
    'dashboard-pages-from-the-router',
    'Only the router imports pages: page.tsx when it is opened, its search parameters at once.',
    { path: DASHBOARD, pathNot: `${DASHBOARD}(pages/|app/router\\.tsx$)` },
    { path: `${DASHBOARD}pages/` },
  ),
];

const programs = [
  forbid(
    'watch-stands-alone',
    'The watch follows a ledger from outside: proof, Node.js and atomic files.',
    { path: '^packages/watch/src/' },
    {
      pathNot: ['^packages/(watch|proof)/src/', '^packages/embedded/src/atomic-file\\.ts$'],
      dependencyTypesNot: ['core'],
    },
  ),
  forbid(
    'mcp-stands-on-the-client',
    'MCP reaches a ledger through the client library.',
    { path: '^packages/mcp/src/' },
    {
      pathNot: ['^packages/(mcp|client|contract|proof)/src/', '(^|/)node_modules/typebox/'],
      dependencyTypesNot: ['core'],
    },
  ),
  forbid(
    'demo-is-pure',
    'The year of the demo: schemas of the contract and decimals, no Node.js.',
    { path: '^packages/demo/src/' },
    {
      pathNot: ['^packages/(demo|contract)/src/', '(^|/)node_modules/(@types/)?big\\.js/'],
    },
  ),
];

const engines = [
  forbid(
    'numerics-is-pure',
    'Linear systems and distributions: nothing but itself.',
    { path: NUMERICS },
    { pathNot: NUMERICS },
  ),
  forbid(
    'engines-know-nothing',
    'An engine computes: its own files, amounts, numerics, decimals, and what of the contract is a function or a list.',
    { path: ENGINE },
    {
      pathNot: [
        '^packages/$1/src/',
        '^packages/amounts/src/',
        NUMERICS,
        '^packages/contract/src/(amount-words|attribution|attribution-signals|currency|fold|outcome|steps)\\.ts$',
        '(^|/)node_modules/big\\.js/',
      ],
      dependencyTypesNot: ['type-only'],
    },
  ),
  forbid(
    'engines-take-types',
    'Besides, an engine takes types of the contract and of the proof alone.',
    { path: ENGINE },
    {
      pathNot: [
        '^packages/$1/src/',
        '^packages/(amounts|contract|numerics|proof)/src/',
        '(^|/)node_modules/(@types/)?big\\.js/',
      ],
    },
  ),
];

export const packageRules = [...packages, ...engines, ...programs, ...verifier, ...dashboard];
