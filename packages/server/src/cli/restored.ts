import { type LedgerRow, selectLedgers } from '../domains/access/organisations/index.js';
import {
  acceptLoss,
  checkRestored,
  type Loss,
  lossText,
  type RestoredLedger,
  selectRestored,
} from '../domains/evidence/restores/index.js';
import {
  type Forgotten,
  findForgotten,
  forgottenText,
  LogFault,
  rebuildLogs,
} from '../domains/evidence/transparency/index.js';
import { uuidToId } from '../platform/ids.js';
import type { Ledger } from '../platform/ledger.js';
import type { Scope } from '../platform/principal.js';
import type { Service } from '../service.js';
import { withLedgers } from './open.js';
import { CommandError, print, printJson } from './output.js';
import { readAnchor } from './verify.js';

export interface RestoredOptions {
  /** Id of the ledger; optional if there is only one. */
  readonly ledger?: string;
  readonly expectSeq?: string;
  readonly expectHash?: string;
  readonly acceptLoss?: string;
  readonly acceptFork?: boolean;
  readonly json?: boolean;
}

/** What is known to be missing from a restored ledger. */
export interface LossReport {
  /** Whether records are missing whose loss is not accepted: the service does not start. */
  readonly isOpen: boolean;
  readonly lines: readonly string[];
  readonly json: Readonly<Record<string, unknown>>;
}

/** Compares a restored ledger with a decision that existed, or accepts what is missing. */
export async function restored(options: RestoredOptions): Promise<void> {
  readExpected(options, null);
  const report = await withLedgers((service) => compareLedger(service, options, null), {
    opensUnaccepted: true,
    isAlone: true,
  });
  if (report === null) {
    throw new CommandError(
      'nothing is known to be missing: pass --expect-seq and --expect-hash from the receipt of a decision that ' +
        'existed, then --accept-loss if it is lost permanently',
    );
  }
  if (options.json === true) printJson(report.json);
  else print(...report.lines);
  if (report.isOpen) process.exitCode = 1;
}

/**
 * @param backupMadeAt RFC 3339, if it is known
 * @throws CommandError if only one of the two is given, or a reason without text
 */
export function readExpected(options: RestoredOptions, backupMadeAt: string | null) {
  const anchor = readAnchor(options);
  if (options.acceptLoss !== undefined && !/^(?=.*\S).{1,1000}$/su.test(options.acceptLoss)) {
    throw new CommandError('--accept-loss needs a reason of 1 to 1000 characters');
  }
  if (options.acceptFork === true && options.acceptLoss === undefined) {
    throw new CommandError('--accept-fork belongs to --accept-loss REASON');
  }
  if (anchor === null) return null;
  return { ...anchor, backupMadeAt: backupMadeAt === null ? null : Date.parse(backupMadeAt) };
}

/**
 * Compares a ledger with the decision that the options state, and with what this machine signed.
 * @returns null if there is nothing to compare with or to accept
 */
export async function compareLedger(
  service: Service,
  options: RestoredOptions,
  backupMadeAt: string | null,
): Promise<LossReport | null> {
  const expected = readExpected(options, backupMadeAt);
  const reason = options.acceptLoss;
  const remembered = await findForgotten(service, service.signedNotes);
  if (expected === null && reason === undefined && remembered.length === 0) return null;
  const scope = scopeOf(await chosenLedger(service, options.ledger ?? onlyLedger(remembered)));
  const forgotten = remembered.filter(({ note }) => note.ledgerId === scope.ledgerId);
  const found = expected === null ? null : await checkRestored(service.db.ledger(scope), expected);
  const isComplete = found === null && forgotten.length === 0;
  if (expected !== null && isComplete) return complete(scope, expected.seq);
  if (reason === undefined) return isComplete ? null : lost(scope, found, forgotten);
  const acceptsFork = options.acceptFork === true;
  const notes = forgotten.map(({ note }) => note);
  if (
    !(await acceptLoss(service.db.ledger(scope), {
      reason,
      acceptsFork,
      forgotten: notes,
    }))
  ) {
    throw new CommandError(
      'no loss is known: pass --expect-seq and --expect-hash from the receipt of a missing decision',
    );
  }
  for (const note of notes) await service.signedNotes.setAside(note);
  const fault = acceptsFork ? await remainingFault(service.db.ledger(scope)) : null;
  return accepted(scope, await selectRestored(service.db.ledger(scope)), { found, fault });
}

/** Compares the logs again, which withdraws the fault that was noted because of the loss. */
async function remainingFault(ledger: Ledger): Promise<string | null> {
  try {
    await rebuildLogs(ledger, new AbortController().signal);
    return null;
  } catch (error) {
    if (error instanceof LogFault) return error.message;
    throw error;
  }
}

/** The ledger of all these checkpoints, if there is one. */
function onlyLedger(forgotten: readonly Forgotten[]): string | undefined {
  const [first, ...others] = new Set(forgotten.map(({ note }) => note.ledgerId));
  return first === undefined || others.length > 0 ? undefined : uuidToId('led', first);
}

async function chosenLedger({ installation }: Service, id: string | undefined): Promise<LedgerRow> {
  const ledgers = await selectLedgers(installation);
  const [chosen, ...others] = ledgers.filter(
    ({ ledger_id }) => id === undefined || uuidToId('led', ledger_id) === id,
  );
  if (chosen !== undefined && others.length === 0) return chosen;
  const known = ledgers
    .map(({ ledger_id, name, mode }) => `${uuidToId('led', ledger_id)} (${name}, ${mode})`)
    .join(', ');
  throw new CommandError(`select one ledger with --ledger: ${known}`);
}

function scopeOf({ org_id, ledger_id, mode }: LedgerRow): Scope {
  return { orgId: org_id, ledgerId: ledger_id, mode };
}

function complete({ ledgerId }: Scope, seq: number): LossReport {
  const ledger = uuidToId('led', ledgerId);
  return {
    isOpen: false,
    lines: [`${ledger}: has the expected decision of seq ${seq}; nothing is known to be missing`],
    json: { ledger, is_missing: false },
  };
}

function lost({ ledgerId }: Scope, loss: Loss | null, forgotten: readonly Forgotten[]): LossReport {
  const ledger = uuidToId('led', ledgerId);
  return {
    isOpen: true,
    lines: [
      ...(loss === null ? [] : [lossText(ledgerId, loss)]),
      ...forgotten.map(forgottenText),
      'The service does not start: restore a later backup, or accept the loss with',
      `  decision-ledger restored --ledger ${ledger} --accept-loss REASON`,
    ],
    json: {
      ...{ ledger, is_missing: true, is_accepted: false },
      ...(loss !== null && membersOf(loss)),
      ...(forgotten.length > 0 && { checkpoints: forgotten.map(toMember) }),
    },
  };
}

function toMember({ note, has }: Forgotten) {
  const { origin, size, path } = note;
  return { origin, signed_size: size, size: has, file: path };
}

interface Settled {
  readonly found: Loss | null;
  /** Why the logs sign nothing although the second history was accepted; null if they go on. */
  readonly fault: string | null;
}

function accepted(scope: Scope, row: RestoredLedger | null, { found, fault }: Settled): LossReport {
  const ledger = uuidToId('led', scope.ledgerId);
  const logs =
    row?.acceptsFork === true
      ? 'The logs go on: those who kept a checkpoint of what was lost can prove two histories.'
      : 'The transparency logs sign no more checkpoints, so exports fail: see docs/operations.md.';
  return {
    isOpen: false,
    lines: [
      `${ledger}: the loss is accepted and recorded as ledger.restored`,
      fault === null ? logs : `The logs have another fault: ${fault}`,
    ],
    json: {
      ...{ ledger, is_missing: true, is_accepted: true },
      ...(row !== null && membersOf({ ...row, actualHash: found?.actualHash ?? null })),
    },
  };
}

function membersOf({
  fromSeq,
  fromHash,
  expected,
  actualHash,
}: Pick<RestoredLedger, 'fromSeq' | 'fromHash' | 'expected'> & Pick<Loss, 'actualHash'>) {
  return {
    ...{ from_seq: fromSeq, from_hash: fromHash },
    ...(expected !== null && {
      ...{ expected_seq: expected.seq, expected_hash: expected.hash, actual_hash: actualHash },
      missing: Math.max(0, expected.seq - fromSeq),
    }),
  };
}
