/*
 * The allowed imports in the server:
 *   app | worker | cli → routes | jobs → use case → rules + store → platform → contract | proof
 * and between the domains, which are grouped as domains/<group>/<domain>/.
 */

import { IMPORTS } from './domains.js';
import { forbid } from './forbid.js';

const SRC = '^packages/server/src/';
const DOMAINS = `${SRC}domains/`;
const DOMAIN = `${DOMAINS}([^/]+/[^/]+)/`;
/** Of a domain with many routes, some are in a file of their own: `liability-routes.ts`. */
const ROUTES = '[a-z-]*routes';
const OWN = `${DOMAINS}$1/`;

/** The groups that each group may import, in addition to itself, from the lowest up. */
const GROUPS = {
  log: [],
  access: ['log'],
  record: ['log', 'access'],
  judgement: ['log', 'access', 'record'],
  sources: ['access', 'record'],
  answers: ['log', 'access', 'record', 'judgement'],
  evidence: ['log', 'access', 'record', 'judgement', 'answers'],
  delivery: ['log', 'access', 'judgement'],
  operations: ['log', 'access', 'sources', 'evidence'],
};

const layers = [
  forbid(
    'platform-stands-alone',
    'platform/ imports no other part of the service than tables/, which imports nothing.',
    { path: `${SRC}platform/` },
    { path: SRC, pathNot: `${SRC}(platform|tables)/` },
  ),
  forbid(
    'tables-stand-alone',
    'tables/ says what every column is. It imports nothing, so that everything may read it.',
    { path: `${SRC}tables/` },
    { pathNot: `${SRC}tables/` },
  ),
  forbid(
    'http-knows-no-domain',
    'http/ is what every route shares, so it imports no domain and nothing above.',
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
    'domains-from-above',
    'From above, a domain is imported by its index.ts, its routes or its jobs.',
    { path: SRC, pathNot: DOMAINS },
    { path: DOMAINS, pathNot: `${DOMAIN}(index|${ROUTES}|jobs)\\.ts$` },
  ),
];

const insideDomains = [
  forbid(
    'domains-have-entry-points',
    'Another domain is imported through its index.ts alone.',
    { path: DOMAIN },
    { path: DOMAINS, pathNot: [OWN, `${DOMAIN}index\\.ts$`] },
  ),
  forbid(
    'own-index-is-for-others',
    'A file inside a domain never imports its own index.ts.',
    { path: DOMAIN },
    { path: `${OWN}index\\.ts$` },
  ),
  forbid(
    'index-exports-only-its-domain',
    'index.ts re-exports its own domain.',
    { path: `${DOMAIN}index\\.ts$` },
    { path: SRC, pathNot: OWN },
  ),
  forbid(
    'rules-are-pure',
    'rules/ needs no platform, no other layer and no node: module.',
    { path: `${DOMAIN}rules/` },
    {
      path: SRC,
      pathNot: [`${OWN}rules/`, `${SRC}tables/`],
    },
  ),
  forbid(
    'rules-do-no-io',
    'rules/ needs no node: module.',
    { path: `${DOMAIN}rules/` },
    { dependencyTypes: ['core'] },
  ),
  forbid(
    'store-is-sql-only',
    'store/ imports the platform, the rules and the queue of its domain, no use case.',
    { path: `${DOMAIN}store/` },
    {
      path: SRC,
      pathNot: [`${SRC}(platform|tables)/`, `${OWN}(store|rules)/`, `${OWN}queue\\.ts$`],
    },
  ),
  forbid(
    'connectors-know-no-ledger',
    'connectors/ reads another system: it imports the platform and the rules of its domain, no store.',
    { path: `${DOMAIN}connectors/` },
    { path: SRC, pathNot: [`${SRC}platform/`, `${OWN}(connectors|rules)/`] },
  ),
  forbid(
    'use-cases-know-no-http',
    'A use case is given what it needs; it imports neither HTTP nor the composition.',
    { path: `${DOMAIN}[^/]+\\.ts$`, pathNot: `${DOMAIN}(index|${ROUTES}|jobs)\\.ts$` },
    { path: SRC, pathNot: [`${SRC}(platform|tables)/`, DOMAINS] },
  ),
  forbid(
    'routes-are-on-top-of-their-domain',
    'Only the composition roots import routes and jobs.ts.',
    { path: DOMAINS },
    { path: `${DOMAIN}(${ROUTES}|jobs)\\.ts$` },
  ),
  forbid(
    'routes-call-use-cases',
    'Routes: http/, and the use cases of their own domain. They may import types from below.',
    { path: `${DOMAIN}${ROUTES}\\.ts$` },
    {
      path: SRC,
      pathNot: [`${SRC}http/`, `${OWN}[^/]+\\.ts$`],
      dependencyTypesNot: ['type-only'],
    },
  ),
  forbid(
    'jobs-call-use-cases',
    'jobs.ts: the use cases of its own domain. It may import types from below.',
    { path: `${DOMAIN}jobs\\.ts$` },
    { path: SRC, pathNot: `${OWN}[^/]+\\.ts$`, dependencyTypesNot: ['type-only'] },
  ),
];

/** One rule for each listed group or domain, and one for all others. */
function directions(what, allowed, self) {
  const named = Object.keys(allowed).join('|');
  const rules = Object.entries(allowed).map(([name, others]) =>
    forbid(
      `imports-of-${name.replace('/', '-')}`,
      `The ${what} ${name} may import ${others.join(', ') || `no other ${what}`}.`,
      { path: `${DOMAINS}${name}/` },
      { path: DOMAINS, pathNot: `${DOMAINS}(${[name, ...others].join('|')})/` },
    ),
  );
  const rest = forbid(
    `imports-of-other-${what}s`,
    `This ${what} may import no other ${what}.`,
    { path: self, pathNot: `${DOMAINS}(${named})/` },
    { path: DOMAINS, pathNot: OWN },
  );
  return [...rules, rest];
}

const between = [
  ...directions('group', GROUPS, `${DOMAINS}([^/]+)/`),
  ...directions('domain', IMPORTS, DOMAIN),
];

export const serverRules = [...layers, ...insideDomains, ...between];
