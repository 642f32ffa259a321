// Checks that everything that has a version has the same one, and that of a tag if one is given, and that a release
// publishes every package after those that it depends on.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { manifestOf, publicPackages } from './support/packed.js';

const ROOT = join(import.meta.dirname, '..');
const read = (path) => readFileSync(join(ROOT, path), 'utf8');

const own = manifestOf(ROOT).version;
const stated = {
  ...Object.fromEntries(publicPackages().map((folder) => [folder, manifestOf(folder).version])),
  'packages/dashboard': manifestOf(join(ROOT, 'packages/dashboard')).version,
  'clients/python/pyproject.toml': /^version = "(.+)"$/m.exec(
    read('clients/python/pyproject.toml'),
  )?.[1],
  'CHANGELOG.md': /^## \[(\d+\.\d+\.\d+)\]/m.exec(read('CHANGELOG.md'))?.[1],
  'released-openapi.json': JSON.parse(read('packages/server/test/http/released-openapi.json')).info
    .version,
  'deploy/kubernetes/kustomization.yaml': /newTag: (\S+)/.exec(
    read('deploy/kubernetes/kustomization.yaml'),
  )?.[1],
  'deploy/compose/compose.yaml': /decision-ledger:(\S+)/.exec(
    read('deploy/compose/compose.yaml'),
  )?.[1],
};
const [tag = `v${own}`] = process.argv.slice(2);
const others = Object.entries({ ...stated, tag: tag.slice(1) }).filter(
  ([, version]) => version !== own,
);
for (const [name, version] of others) {
  process.stderr.write(`package.json has the version ${own}, but ${name} has ${version}\n`);
}
const unpublished = findUnpublished();
for (const problem of unpublished) process.stderr.write(`release.yml: ${problem}\n`);
process.exitCode = others.length + unpublished.length > 0 ? 1 : 0;

function findUnpublished() {
  const [, list = ''] =
    /for package in ([^;]+);/.exec(read('.github/workflows/release.yml').replaceAll('\\\n', '')) ??
    [];
  const published = list.trim().split(/\s+/);
  return publicPackages().flatMap((folder) => {
    const at = published.indexOf(basename(folder));
    if (at === -1) return [`${folder} is not published`];
    return Object.keys(manifestOf(folder).dependencies ?? {})
      .map((name) => name.replace('@decision-ledger/', ''))
      .filter((name) => published.indexOf(name) > at)
      .map((name) => `${folder} is published before ${name}, which it depends on`);
  });
}
