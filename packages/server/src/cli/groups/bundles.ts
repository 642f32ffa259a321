import type { Command } from 'commander';
import { jsonOption, lazily } from '../options.js';

/** Checking evidence offline: the tool of the verifier, which needs neither this service nor its data. */
export function addBundleCommands(program: Command): void {
  program
    .command('verify-bundle')
    .description('check an evidence bundle or a presentation offline, like decision-ledger-verify')
    .argument('[file]', 'bundle (.zip) or presentation (.dlp.json)')
    .option('--key-fingerprint <sha256>', 'the published fingerprint of the signing key')
    .option('--previous <file>', 'an earlier bundle of the same ledger, which this one continues')
    .option('--log-key <key>', 'the published verifier key of a log; once for each log')
    .option('--checkpoint <file>', 'a checkpoint of a log of the ledger that you kept')
    .option('--consistency <file>', 'the answer that connects it with the checkpoint of the bundle')
    .option('--require <verdict>', 'time: exit with 3 where the time is unproven, too')
    .option('--allow-unproven <verdict>', 'accept that it is unproven; may be repeated')
    .option('--write-page <file>', 'write a page that checks bundles in a browser')
    .addOption(jsonOption())
    .action(lazily(async () => (await import('../verify-bundle.js')).verifyBundle));
}
