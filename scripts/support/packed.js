import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const ROOT = join(import.meta.dirname, '../..');

/** The folders of the packages that are published. */
export function publicPackages() {
  const folders = readdirSync(join(ROOT, 'packages')).map((name) => join(ROOT, 'packages', name));
  return folders.filter((folder) => !('private' in manifestOf(folder)));
}

export function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/**
 * Packs every published package, as `npm publish` does, with one start of npm.
 * @param {string} target folder of the archives
 * @returns {string[]} their paths
 */
export function packPackages(target) {
  mkdirSync(target, { recursive: true });
  const packages = publicPackages().flatMap((folder) => ['--workspace', folder]);
  npm(['pack', '--pack-destination', target, ...packages], ROOT);
  return readdirSync(target).map((name) => join(target, name));
}

/**
 * Installs archives in a new folder, as a user does: other packages come from the registry.
 * @param {string} folder
 * @param {readonly string[]} archives
 * @param {readonly string[]} options more options of npm
 */
export function installPackages(folder, archives, options = []) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'package.json'),
    '{ "name": "installed", "version": "0.0.0", "private": true }\n',
  );
  npm(['install', '--omit=dev', '--no-audit', '--no-fund', ...options, ...archives], folder);
}

/** Runs npm, quietly unless it fails. Returns its standard output. */
export function npm(args, cwd) {
  // Of a run by npm: they would apply to this one too.
  const own = Object.entries(process.env).filter(
    ([name]) => !/^npm_(package_|config_(local_prefix|workspace))/i.test(name),
  );
  const env = { ...Object.fromEntries(own), npm_config_update_notifier: 'false' };
  const options = { cwd, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 };
  const { status, stdout, stderr, error } = spawnSync('npm', args, options);
  if (error !== undefined) throw error;
  if (status !== 0)
    throw new Error(`npm ${args.join(' ')} ended with code ${status}:\n${stdout}${stderr}`);
  return stdout;
}
