import { LedgerError } from '@decision-ledger/contract/errors';
import type { Mode } from '@decision-ledger/contract/permissions';
import { canonicalJson } from '@decision-ledger/proof/canonical';
import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import type { Ledger } from '../../../platform/ledger.js';
import { STRIPE_OBJECTS } from './record-movements.js';
import { StripePayloadError } from './rules/amount.js';
import { NOTHING, readPayout, withTransaction } from './rules/payout.js';
import { isItself, type Kept, keptOfPayout, keptOfTransaction } from './rules/records.js';
import { nameOf, readTransaction } from './rules/transaction.js';
import { insertStripeEvent } from './store/stripe-events.js';

/** An object that cannot be recorded. */
interface Problem {
  readonly where: string;
  readonly reason: string;
  readonly about: null;
}

interface PulledTools {
  readonly jobs: JobQueue;
  /** Who reads them, for the activity. */
  readonly actor: string;
}

/** What was read from Stripe's API, kept beside what its webhook sends. */
interface PulledInbox {
  readonly mode: Mode;
  keepTransactions(items: readonly unknown[]): Promise<readonly Problem[]>;
  keepPayout(
    item: unknown,
    contents: AsyncIterable<readonly unknown[]> | null,
  ): Promise<readonly Problem[]>;
}

/** Objects are kept as they were first read: the same one read twice changes nothing, whatever else was received. */
export function pulledInbox(ledger: Ledger, tools: PulledTools): PulledInbox {
  const { mode } = ledger.scope;
  const keep = (rows: readonly Kept[]) => keepRows(ledger, tools, rows);
  async function keepPart(items: readonly unknown[], payout: string | null) {
    const { transactions, problems } = readAll(items, mode);
    await keep(transactions.flatMap((one) => keptOfTransaction(one, payout)));
    return { transactions, problems };
  }
  return {
    mode,
    keepTransactions: async (items) => (await keepPart(items, null)).problems,
    async keepPayout(item, contents) {
      const read = tried(item, () => readPayout(item));
      if ('problem' in read) return [read.problem];
      const problems: Problem[] = [];
      let sums = NOTHING;
      for await (const items of contents ?? []) {
        const part = await keepPart(items, read.value.id);
        problems.push(...part.problems);
        sums = part.transactions
          .filter((one) => !isItself(one, read.value.id))
          .reduce(withTransaction, sums);
      }
      await keep([keptOfPayout({ ...read.value, contents: contents === null ? null : sums })]);
      return problems;
    },
  };
}

function readAll(items: readonly unknown[], mode: Mode) {
  const read = items.map((item) => tried(item, () => readTransaction(item, mode === 'live')));
  return {
    transactions: read.flatMap((one) => ('value' in one ? [one.value] : [])),
    problems: read.flatMap((one) => ('problem' in one ? [one.problem] : [])),
  };
}

/** What is wrong with an object, if that is why it was refused. */
function reasonOf(error: unknown): string | null {
  if (error instanceof StripePayloadError) return `${error.field} ${error.problem}`;
  if (!(error instanceof LedgerError) || error.code !== 'validation_error') return null;
  const fields = Object.entries(error.details?.fields ?? {});
  return fields.map(([field, problems]) => `${field} ${problems.join(', ')}`).join('; ');
}

function tried<Value>(
  item: unknown,
  read: () => Value,
): { readonly value: Value } | { readonly problem: Problem } {
  try {
    return { value: read() };
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === null) throw error;
    return { problem: { where: `Stripe ${nameOf(item)}`, reason, about: null } };
  }
}

async function keepRows(ledger: Ledger, { jobs, actor }: PulledTools, rows: readonly Kept[]) {
  await ledger.write(async (tx) => {
    const groups = new Set<string>();
    for (const { id, group, payload } of rows) {
      const text = canonicalJson(Object(payload));
      const isNew = await insertStripeEvent(tx, {
        ...{ id, chargeId: group, payload: text, receivedBy: actor },
      });
      if (isNew) groups.add(group);
    }
    for (const group of groups) await jobs.send(tx, STRIPE_OBJECTS, { object_id: group });
  });
}
