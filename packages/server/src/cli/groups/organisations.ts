import { PERMISSIONS } from '@decision-ledger/contract/permissions';
import type { Command } from 'commander';
import { addLedgerOptions, jsonOption, keyFile, lazily, orgOption } from '../options.js';

/** Organisations, their keys and their settings. */
export function addOrganisationCommands(program: Command): void {
  addOrg(program);
  addKeys(program);
  addSigningKeys(program);
  addSettings(program);
}

function addOrg(program: Command): void {
  const group = program.command('org').description('organisations');
  group
    .command('create')
    .argument('<name>')
    .description('create an organisation with a live and a test key')
    .addOption(jsonOption())
    .action(lazily(async () => (await import('../org.js')).createOrg));
  group
    .command('list')
    .description('list the organisations and their ledgers')
    .addOption(jsonOption())
    .action(lazily(async () => (await import('../org.js')).printOrgs));
}

function addKeys(program: Command): void {
  const group = program.command('key').description('API keys');
  addLedgerOptions(group.command('create').description('issue a key'))
    .requiredOption('--name <name>', 'purpose of the key')
    .requiredOption('--permissions <list>', `${PERMISSIONS.join(',')}, or \`all\``)
    .option('--agents <list>', 'the agents whose decisions a key with `record` alone may record')
    .option('--expires <time>', 'RFC 3339')
    .addOption(jsonOption())
    .action(lazily(async () => (await import('../org.js')).createKey));
  addLedgerOptions(group.command('list').description('list keys; their secrets are not stored'))
    .addOption(jsonOption())
    .action(lazily(async () => (await import('../org.js')).printKeys));
  addLedgerOptions(
    group
      .command('revoke')
      .argument('<key-id>', 'the id that `key list` shows')
      .description('revoke a key; takes effect everywhere within a second'),
  )
    .addOption(jsonOption())
    .action(lazily(async () => (await import('../org.js')).revokeKeyById));
}

function addSigningKeys(program: Command): void {
  const group = program.command('signing-key').description('keys that sign exports');
  group
    .command('show')
    .description('show the fingerprints; publish them separately from exports')
    .addOption(orgOption())
    .addOption(keyFile())
    .addOption(jsonOption())
    .action(lazily(async () => (await import('../master-key.js')).printSigningKeys));
  group
    .command('rotate')
    .description('sign with a new key; earlier exports stay verifiable')
    .addOption(orgOption())
    .addOption(keyFile())
    .addOption(jsonOption())
    .action(lazily(async () => (await import('../master-key.js')).rotateSigningKey));
}

function addSettings(program: Command): void {
  const group = program.command('settings').description('settings of a ledger');
  addLedgerOptions(
    group
      .command('get')
      .argument('[path]', 'only this setting, such as rate_limits.exports_per_hour')
      .description('show the settings, defaults included; secrets are masked'),
  )
    .addOption(jsonOption())
    .action(lazily(async () => (await import('../settings.js')).printSettings));
  addLedgerOptions(
    group
      .command('set')
      .argument('[patch]', 'JSON merge patch (RFC 7396); default: standard input')
      .description('change settings; null resets a setting to its default'),
  )
    .option('--file <file>', 'read the patch from a file; - is standard input')
    .addOption(jsonOption())
    .action(lazily(async () => (await import('../settings.js')).patchSettings));
}
