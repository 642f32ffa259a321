import type { DecisionToRecord } from '@decision-ledger/client';
import { TestLedger } from '@decision-ledger/client/testing';

interface Troubled {
  readonly trouble: string;
  open(): { readonly ledger: Sink; close(): Promise<unknown> };
}

interface Sink {
  record(decision: DecisionToRecord): void;
}

const settled = () => Promise.resolve();

function client(options: ConstructorParameters<typeof TestLedger>[0]) {
  const ledger = new TestLedger({ onError: () => undefined, ...options });
  return { ledger, close: () => ledger.close({ timeoutMs: 1 }).catch(() => undefined) };
}

function sink(record: () => unknown) {
  return { ledger: { record: () => void record() }, close: settled };
}

/** Ledgers that an agent must not notice. */
export const TROUBLED: readonly Troubled[] = [
  {
    trouble: 'refuses the connection',
    open: () => client({ fetch: () => Promise.reject(new TypeError('fetch failed')) }),
  },
  { trouble: 'never answers', open: () => client({ fetch: () => new Promise(() => undefined) }) },
  { trouble: 'is disabled', open: () => client({ disabled: true }) },
  {
    trouble: 'throws',
    open: () =>
      sink(() => {
        throw new Error('broken');
      }),
  },
  {
    trouble: 'rejects',
    open: () => ({
      ledger: { record: () => Promise.reject(new Error('broken')) },
      close: settled,
    }),
  },
  // As in JavaScript, where nothing checks the options.
  { trouble: 'is missing', open: () => ({ ledger: JSON.parse('{}'), close: settled }) },
  {
    trouble: 'never finishes',
    open: () => ({
      ledger: { record: () => new Promise(() => undefined) },
      close: settled,
    }),
  },
  {
    trouble: 'throws what has no text',
    open: () =>
      sink(() => {
        throw Object.create(null);
      }),
  },
];
