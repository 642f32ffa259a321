// Which imports are errors.

import { forbid } from './scripts/imports/forbid.js';
import { packageRules } from './scripts/imports/packages.js';
import { serverRules } from './scripts/imports/server.js';

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
    "A package's code imports what its own package.json declares for production.",
    // What these import is bundled or used when they are built, and not installed.
    {
      path: '^packages/[^/]+/src/',
      pathNot: [
        '^packages/verifier/src/page/hash\\.ts$',
        '^packages/(dashboard|site)/src/',
        '/sources/stripe/verify-signature\\.ts$',
      ],
    },
    {
      dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'npm-optional'],
      // A framework that an entry point needs is a peer, optional for those who need another one.
      dependencyTypesNot: ['type-only', 'npm-peer'],
    },
  ),
  forbid(
    'no-tests-in-src',
    'Code that ships imports no tests and no tools.',
    { path: '/src/' },
    { path: '^(packages/[^/]+/(test|bin)|benchmarks|evaluation|scripts|examples)/' },
  ),
  forbid(
    'tests-use-the-built-code',
    'A test imports a package by its name, as a user does.',
    { path: '^packages/[^/]+/test/' },
    // The package site has no build: its sources are what it exports.
    { path: '^packages/(?!site/)[^/]+/src/', dependencyTypesNot: ['aliased'] },
  ),
];

export default {
  forbidden: [...general, ...packageRules, ...serverRules],
  options: {
    doNotFollow: { path: ['node_modules'] },
    exclude: { path: '^packages/[^/]+/dist/|/otlp/instrumentations/' },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    tsConfig: { fileName: '.dependency-cruiser.tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.d.ts'],
    },
  },
};
