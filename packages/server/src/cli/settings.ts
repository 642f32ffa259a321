import { LIMITS } from '@decision-ledger/contract/limits';
import type { Settings } from '@decision-ledger/contract/settings';
import { SettingsPatch } from '@decision-ledger/contract/settings-forms';
import { checker } from '@decision-ledger/contract/validation';
import { parseJson } from '@decision-ledger/proof/gate';
import { changeSettings, plainSecretsOf, readSettings } from '../domains/access/settings/index.js';
import { readInput } from './input.js';
import { type LedgerOptions, ledgerOf, withLedger } from './ledger.js';
import { CommandError, print, printJson } from './output.js';

interface SettingsOptions extends LedgerOptions {
  readonly json?: boolean;
}

interface PatchOptions extends SettingsOptions {
  readonly file?: string;
}

const checkPatch = checker(SettingsPatch, 'patch');

/** @param path such as `accounting[0].kind`; default: all settings */
export async function printSettings(
  path: string | undefined,
  options: SettingsOptions,
): Promise<void> {
  const settings = await withLedger(options, (ledger) => readSettings(ledger));
  const value = path === undefined ? settings : memberAt(settings, path);
  if (options.json === true) return printJson(value);
  print(typeof value === 'string' ? value : JSON.stringify(value, null, 2));
}

/** @param text the patch; default: read from a file or standard input */
export async function patchSettings(
  text: string | undefined,
  options: PatchOptions,
): Promise<void> {
  const onLedger = await ledgerOf(options, { needsKey: true });
  const patch = await readPatch(text, options.file);
  const settings = await onLedger((ledger, service, operator) =>
    ledger.write((tx) => changeSettings(tx, service, operator, patch)),
  );
  if (options.json === true) return printJson(settings);
  const touched = Object.entries(settings).filter(([name]) => Object.hasOwn(patch, name));
  print('The settings are now:', JSON.stringify(Object.fromEntries(touched), null, 2));
}

async function readPatch(text: string | undefined, file: string | undefined) {
  if (text !== undefined && file !== undefined) {
    throw new CommandError('pass the patch as an argument or with --file, not both');
  }
  if (text === undefined && file === undefined && process.stdin.isTTY) {
    throw new CommandError(
      'pass a JSON merge patch as an argument, with --file or on standard input',
    );
  }
  const given = parseJson(text ?? (await readInput(file ?? '-', LIMITS.bodyBytes)));
  const patch = checkPatch(given);
  const secrets = text === undefined ? [] : plainSecretsOf(patch);
  if (secrets.length > 0) {
    throw new CommandError(
      `${secrets.join(', ')} is a secret, and other users of this machine can see arguments: ` +
        'pass the patch with --file or on standard input',
    );
  }
  return patch;
}

/** @throws CommandError listing the known members if the path does not exist */
function memberAt(settings: Settings, path: string): unknown {
  let value: unknown = settings;
  let walked = '';
  for (const name of path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')) {
    const members = typeof value === 'object' && value !== null ? value : {};
    if (!Object.hasOwn(members, name)) {
      const known = Object.keys(members).join(', ') || 'nothing';
      const place = walked === '' ? 'The settings hold' : `${walked} holds`;
      throw new CommandError(`there is no setting ${path}. ${place} ${known}.`);
    }
    value = Reflect.get(members, name);
    walked = walked === '' ? name : `${walked}.${name}`;
  }
  return value;
}
