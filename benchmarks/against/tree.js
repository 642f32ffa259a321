import { join } from 'node:path';
import process from 'node:process';
import { inRepository, run } from '../support/children.js';
import { PROGRAM, temporaryFolder } from '../support/service.js';

/** @typedef {{ name: string, program: string, remove: () => void }} Tree a built copy of the repository */

/** The files of this repository as they are. @returns {Tree} */
export const thisTree = () => ({
  name: 'this tree',
  program: PROGRAM,
  remove: () => undefined,
});

/**
 * The repository as it was at a revision, installed and built in a folder of its own.
 * @param {string} revision
 * @returns {Promise<Tree>}
 */
export async function checkOut(revision) {
  const root = inRepository('');
  const commit = (await run('git', ['-C', root, 'rev-parse', '--verify', `${revision}^{commit}`]))
    .trim()
    .slice(0, 12);
  const folder = temporaryFolder();
  process.stderr.write(`installing and building ${commit} …\n`);
  const archive = join(folder.path, 'tree.tar');
  await run('git', ['-C', root, 'archive', '--output', archive, commit]);
  await run('tar', ['-xf', archive, '-C', folder.path]);
  const inFolder = { ...process.env, npm_config_loglevel: 'error' };
  await run('npm', ['--prefix', folder.path, 'ci', '--prefer-offline', '--no-audit'], inFolder);
  await run(process.execPath, [join(folder.path, 'packages/server/bin/build.js')]);
  const program = join(folder.path, 'packages/server/bin/decision-ledger.js');
  return { name: commit, program, remove: folder.remove };
}
