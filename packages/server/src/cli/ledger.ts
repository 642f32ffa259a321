import { type Mode, PERMISSIONS } from '@decision-ledger/contract/permissions';
import { judgeKey } from '../domains/access/keys/index.js';
import { type LedgerRow, selectLedgers } from '../domains/access/organisations/index.js';
import { uuidToId } from '../platform/ids.js';
import type { Ledger } from '../platform/ledger.js';
import type { Principal, Scope } from '../platform/principal.js';
import type { Service } from '../service.js';
import { readInput } from './input.js';
import { type Access, withLedgers } from './open.js';
import { CommandError } from './output.js';

/** Options that select a ledger. */
export interface LedgerOptions {
  /** Name or id; optional if there is only one organisation. */
  readonly org?: string;
  readonly mode?: Mode;
  readonly keyFile?: string;
}

interface Key {
  readonly text: string;
  /** The source of the key, for error messages. */
  readonly from: string;
}

const KEY_BYTES = 1024;

type LedgerWork<Result> = (
  ledger: Ledger,
  service: Service,
  operator: Principal,
) => Promise<Result>;

/** Opens the selected ledger, runs the work and closes it. */
export type OnLedger = <Result>(work: LedgerWork<Result>) => Promise<Result>;

/**
 * Determines the ledger from the options or a key.
 * @throws CommandError if neither selects one
 */
export async function ledgerOf(options: LedgerOptions, access: Access = {}): Promise<OnLedger> {
  const key = await readKey(options);
  if (key !== null) {
    return (work) =>
      withLedgers(
        async (service) => run(service, await openedBy(service, key, options), work),
        access,
      );
  }
  const { mode } = options;
  if (mode === undefined) {
    throw new CommandError(
      'select a ledger with --mode live or --mode test, or pass a key in LEDGER_KEY or with --key-file.\n' +
        'There is no default, because ledger entries cannot be removed.',
    );
  }
  return (work) =>
    withLedgers(
      async (service) => run(service, await named(service, { ...options, mode }), work),
      access,
    );
}

/** Runs a command on the ledger that its options or a key select. */
export async function withLedger<Result>(
  options: LedgerOptions,
  work: LedgerWork<Result>,
  access: Access = {},
): Promise<Result> {
  return (await ledgerOf(options, access))(work);
}

/** Like `withLedger`, for data that all ledgers of an organisation share; the mode is optional. */
export async function withOrganisation<Result>(
  options: Omit<LedgerOptions, 'mode'>,
  access: Access,
  work: LedgerWork<Result>,
): Promise<Result> {
  const key = await readKey(options);
  return withLedgers(
    async (service) =>
      run(
        service,
        key === null
          ? await named(service, { ...options, mode: 'live' })
          : await openedBy(service, key, options),
        work,
      ),
    access,
  );
}

function run<Result>(
  service: Service,
  operator: Principal,
  work: LedgerWork<Result>,
): Promise<Result> {
  return work(service.db.ledger(operator.scope), service, operator);
}

async function readKey({ keyFile }: LedgerOptions): Promise<Key | null> {
  if (keyFile !== undefined) {
    const text = (await readInput(keyFile, KEY_BYTES)).trim();
    if (text === '') throw new CommandError(`the file ${keyFile} contains no key`);
    return { text, from: `the key in ${keyFile}` };
  }
  const text = process.env.LEDGER_KEY?.trim() ?? '';
  return text === '' ? null : { text, from: 'the key in LEDGER_KEY' };
}

const PROBLEMS = {
  mistyped: 'is not an API key: check for typing errors and missing characters',
  unknown: 'is unknown: it belongs to another installation',
  revoked: 'is revoked: issue another with `key create`',
  expired: 'has expired: issue another with `key create`',
} as const;

async function openedBy(
  { installation, clock }: Service,
  { text, from }: Key,
  { org, mode }: LedgerOptions,
): Promise<Principal> {
  const verdict = await judgeKey(installation, clock, text);
  if ('problem' in verdict) throw new CommandError(`${from} ${PROBLEMS[verdict.problem]}`);
  const { scope } = verdict.principal;
  if (mode !== undefined && mode !== scope.mode) {
    throw new CommandError(
      `${from} belongs to the ${scope.mode} ledger, but --mode is ${mode}: use only one of the two`,
    );
  }
  const ledger = (await selectLedgers(installation)).find(
    ({ ledger_id }) => ledger_id === scope.ledgerId,
  );
  if (org !== undefined && (ledger === undefined || !isNamed(ledger, org))) {
    throw new CommandError(
      `${from} belongs to another organisation (${ledger?.name}) than --org: use only one of the two`,
    );
  }
  return operatorOf(scope);
}

async function named(
  { installation }: Service,
  { org, mode }: LedgerOptions & { readonly mode: Mode },
): Promise<Principal> {
  const ledgers = (await selectLedgers(installation)).filter((ledger) => ledger.mode === mode);
  const [found, ...others] = ledgers.filter((ledger) => org === undefined || isNamed(ledger, org));
  if (found === undefined) {
    const hint = ledgers.length === 0 ? 'create one with `org create NAME`' : names(ledgers);
    throw new CommandError(`no such organisation: ${hint}`);
  }
  if (others.length > 0) throw new CommandError(`select one with --org: ${names(ledgers)}`);
  return operatorOf({ orgId: found.org_id, ledgerId: found.ledger_id, mode: found.mode });
}

/** The command line accesses the database directly: a key selects a ledger but grants no rights. */
function operatorOf(scope: Scope): Principal {
  return { scope, actor: 'operator', permissions: new Set(PERMISSIONS) };
}

export function isNamed(ledger: LedgerRow, org: string): boolean {
  return ledger.name === org || uuidToId('org', ledger.org_id) === org;
}

function names(ledgers: readonly LedgerRow[]): string {
  return ledgers.map(({ name, org_id }) => `${name} (${uuidToId('org', org_id)})`).join(', ');
}
