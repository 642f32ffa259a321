/*
 * The direction of imports:
 *   app | worker | cli → routes | jobs → use case → rules + store → platform → contract | proof
 * and the only doors between the rooms under domains/.
 */
const SRC = '^packages/server/src/';
const VERIFIER = '^packages/verifier/src/';
const ROOMS = `${SRC}domains/`;
const ROOM = `${ROOMS}([^/]+)/`;
const OWN = `${ROOMS}$1/`;

/** Which rooms a room may enter, through their index.ts. A room that is not named here may enter none. */
const DOORS = {
  organisations: ['keys', 'activity'],
  keys: ['activity'],
  settings: ['activity'],
  decisions: ['activity', 'attribution', 'liability'],
  'financial-events': ['activity', 'liability'],
  liability: ['announcements', 'settings'],
  links: ['activity', 'attribution', 'liability', 'decisions', 'financial-events'],
  attribution: ['settings'],
  stripe: ['financial-events', 'links'],
  accounting: ['financial-events', 'links', 'settings'],
  alerts: ['settings'],
  views: ['decisions', 'liability', 'links'],
  'master-key': ['accounting', 'activity', 'settings', 'signing-keys'],
  'signing-keys': ['activity'],
  exports: [
    'activity',
    'announcements',
    'decisions',
    'financial-events',
    'keys',
    'liability',
    'links',
    'settings',
    'signing-keys',
  ],
  analytics: ['liability', 'settings'],
  stream: ['keys', 'liability'],
};

function forbid(name, comment, from, to) {
  return { name, comment, severity: 'error', from, to };
}

const general = [
  forbid('no-cycles', 'Two files that need each other are one file.', {}, { circular: true }),
  forbid(
    'no-orphans',
    'Nothing imports this file, and it imports nothing.',
    { orphan: true, path: '/src/' },
    {},
  ),
  forbid('resolvable', 'The import leads nowhere.', {}, { couldNotResolve: true }),
  forbid(
    'declared-dependencies',
    "A package's code uses what its own package.json declares for production.",
    // The hashes of the page are put into it when it is built.
    { path: '^packages/[^/]+/src/', pathNot: `${VERIFIER}page/hash\\.ts$` },
    {
      dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'npm-optional'],
      dependencyTypesNot: ['type-only'],
    },
  ),
  forbid(
    'no-tests-in-src',
    'Code that ships knows nothing of tests and tools.',
    { path: '/src/' },
    { path: '^(packages/[^/]+/(test|bin)|benchmarks|evaluation|scripts|examples)/' },
  ),
  forbid(
    'tests-use-the-built-code',
    'A test imports a package by its name, as a user does.',
    { path: '^packages/[^/]+/test/' },
    { path: '^packages/[^/]+/src/', dependencyTypesNot: ['aliased'] },
  ),
];

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
    'client-stands-alone',
    'The client library brings nothing along.',
    { path: '^packages/client/src/' },
    { pathNot: '^packages/client/src/' },
  ),
  forbid(
    'contract-is-pure',
    'Schemas and codes: typebox, and the format of bundles for the types of export.',
    { path: '^packages/contract/src/' },
    {
      pathNot: [
        '^packages/contract/src/',
        '^packages/proof/src/bundle/format\\.ts$',
        '(^|/)node_modules/typebox/',
      ],
    },
  ),
];

const verifier = [
  forbid(
    'verifier-stands-alone',
    'The verifier: proof and a ZIP reader, so that nobody has to trust more than that.',
    { path: VERIFIER, pathNot: `${VERIFIER}(cli/|page/hash\\.ts$)` },
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
    'verifier-archive-is-the-ground',
    'archive/ knows archives and where findings go, and nothing of what is in a bundle.',
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

const floors = [
  forbid(
    'platform-is-the-ground',
    'platform/ knows no other part of the service.',
    { path: `${SRC}platform/` },
    { path: SRC, pathNot: `${SRC}platform/` },
  ),
  forbid(
    'http-knows-no-room',
    'http/ is what every route shares, so it knows no room and nothing above.',
    { path: `${SRC}http/` },
    { path: SRC, pathNot: `${SRC}(http/|platform/|config\\.ts$)` },
  ),
  forbid(
    'config-stands-alone',
    'config.ts turns the environment into values and needs nothing of the service.',
    { path: `${SRC}config\\.ts$` },
    { path: SRC, pathNot: `${SRC}(platform/|environment\\.ts$)` },
  ),
  forbid(
    'composition-roots-on-top',
    'Only the command line and the build start the composition roots.',
    { path: SRC, pathNot: `${SRC}(main|prepare-database|app|worker|service)\\.ts$|${SRC}cli/` },
    { path: [`${SRC}(main|app|worker|service)\\.ts$`, `${SRC}cli/`] },
  ),
  forbid(
    'composition-roots-in-order',
    'main → cli → app | worker → service, never back.',
    { path: `${SRC}(app|worker|service)\\.ts$` },
    { path: [`${SRC}main\\.ts$`, `${SRC}cli/`] },
  ),
  forbid(
    'service-is-shared',
    'app and worker build on service.ts, not the other way round.',
    { path: `${SRC}service\\.ts$` },
    { path: [`${SRC}(app|worker)\\.ts$`, `${SRC}http/`] },
  ),
  forbid(
    'rooms-from-above',
    'From above, a room is entered by its index.ts, its routes or its jobs.',
    { path: SRC, pathNot: ROOMS },
    { path: ROOMS, pathNot: `${ROOM}(index|routes|jobs)\\.ts$` },
  ),
];

const insideRooms = [
  forbid(
    'rooms-have-doors',
    'Another room is entered through its index.ts alone.',
    { path: ROOM },
    { path: ROOMS, pathNot: [OWN, `${ROOM}index\\.ts$`] },
  ),
  forbid(
    'own-door-is-for-others',
    'A file inside a room never imports its own index.ts.',
    { path: ROOM },
    { path: `${OWN}index\\.ts$` },
  ),
  forbid(
    'door-shows-only-the-room',
    'index.ts re-exports its own room.',
    { path: `${ROOM}index\\.ts$` },
    { path: SRC, pathNot: OWN },
  ),
  forbid(
    'rules-are-pure',
    'rules/ needs no platform, no other floor and no node: module.',
    { path: `${ROOM}rules/` },
    { path: SRC, pathNot: `${OWN}rules/` },
  ),
  forbid(
    'rules-do-no-io',
    'rules/ needs no node: module.',
    { path: `${ROOM}rules/` },
    { dependencyTypes: ['core'] },
  ),
  forbid(
    'store-is-sql-only',
    'store/ knows the platform, the rules and the queue of its room, no use case.',
    { path: `${ROOM}store/` },
    { path: SRC, pathNot: [`${SRC}platform/`, `${OWN}(store|rules)/`, `${OWN}queue\\.ts$`] },
  ),
  forbid(
    'connectors-know-no-ledger',
    'connectors/ reads another system: it knows the platform and the rules of its room, no store.',
    { path: `${ROOM}connectors/` },
    { path: SRC, pathNot: [`${SRC}platform/`, `${OWN}(connectors|rules)/`] },
  ),
  forbid(
    'use-cases-know-no-http',
    'A use case is told what it needs; it knows neither HTTP nor the composition.',
    { path: `${ROOM}[^/]+\\.ts$`, pathNot: `${ROOM}(index|routes|jobs)\\.ts$` },
    { path: SRC, pathNot: [`${SRC}platform/`, ROOMS] },
  ),
  forbid(
    'routes-are-on-top-of-their-room',
    'Only the composition roots import routes.ts and jobs.ts.',
    { path: ROOMS },
    { path: `${ROOM}(routes|jobs)\\.ts$` },
  ),
  forbid(
    'routes-call-use-cases',
    'routes.ts: http/, and the use cases of its own room. Of the floors below, it may name the types.',
    { path: `${ROOM}routes\\.ts$` },
    {
      path: SRC,
      pathNot: [`${SRC}http/`, `${OWN}[^/]+\\.ts$`],
      dependencyTypesNot: ['type-only'],
    },
  ),
  forbid(
    'jobs-call-use-cases',
    'jobs.ts: the use cases of its own room. Of the floors below, it may name the types.',
    { path: `${ROOM}jobs\\.ts$` },
    { path: SRC, pathNot: `${OWN}[^/]+\\.ts$`, dependencyTypesNot: ['type-only'] },
  ),
];

const named = Object.keys(DOORS).join('|');
const doors = [
  ...Object.entries(DOORS).map(([room, open]) =>
    forbid(
      `doors-of-${room}`,
      `${room} may enter only ${open.join(' and ')}.`,
      { path: `${ROOMS}${room}/` },
      { path: ROOMS, pathNot: `${ROOMS}(${[room, ...open].join('|')})/` },
    ),
  ),
  forbid(
    'doors-of-the-others',
    'This room may enter no other room.',
    { path: ROOM, pathNot: `${ROOMS}(${named})/` },
    { path: ROOMS, pathNot: OWN },
  ),
];

export default {
  forbidden: [...general, ...packages, ...verifier, ...floors, ...insideRooms, ...doors],
  options: {
    doNotFollow: { path: ['node_modules'] },
    exclude: { path: '^packages/[^/]+/dist/' },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    tsConfig: { fileName: '.dependency-cruiser.tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.d.ts'],
    },
  },
};
