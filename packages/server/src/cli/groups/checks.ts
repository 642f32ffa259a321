import { type Command, InvalidArgumentError } from 'commander';
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

const FOLDER = 'ledger-watch';

/** Following the logs of a ledger from outside. */
export function addWatchCommands(program: Command): void {
  const group = program
    .command('watch')
    // Otherwise `watch` would take the options of `watch check`, which have the same names.
    .enablePositionalOptions()
    .description(
      'follow the transparency logs of a ledger; exit code 4 if a log signed two histories',
    )
    .argument(
      '<url>',
      'address of the service, which needs a key with the permission read, or of public logs: …/api/v1/logs/led_…',
    )
    .option('--folder <folder>', 'where every signed note is kept', FOLDER)
    .option('--log-key <key...>', 'the published verifier keys of the logs')
    .option('--key-file <file>', 'file with an API key, instead of LEDGER_KEY; - is standard input')
    .option('--interval <seconds>', 'time between two looks', readSeconds, 60)
    .option('--stale-after <seconds>', 'alarm without a new checkpoint; 0: never', readTime, 86_400)
    .option('--timeout <seconds>', 'for one answer', readSeconds, 10)
    .option('--webhook <url>', 'address that alarms are posted to')
    .option('--once', 'look once: exit code 3 if an alarm is on')
    .addOption(jsonOption())
    .action(lazily(async () => (await import('../watch.js')).watchLogs));
  addCheck(group);
}

function addCheck(group: Command): void {
  group
    .command('check')
    .description(
      'check a bundle, a checkpoint, a signed receipt, a proof or a presentation against what was kept',
    )
    .argument('<file>', 'bundle (.zip), signed note, .tlog-proof or .dlp.json; - is standard input')
    .option('--folder <folder>', 'where the notes were kept', FOLDER)
    .option('--url <url>', 'address of the service or of public logs, to compare trees')
    .option('--key-file <file>', 'file with an API key, instead of LEDGER_KEY')
    .option('--timeout <seconds>', 'for one answer', readSeconds, 10)
    .addOption(jsonOption())
    .action(lazily(async () => (await import('../watch.js')).watchCheck));
}

function readTime(text: string): number {
  const seconds = Number(text);
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('A time is a number of seconds.');
  return seconds;
}

function readSeconds(text: string): number {
  const seconds = readTime(text);
  if (seconds === 0) throw new InvalidArgumentError('It must be at least a second.');
  return seconds;
}
