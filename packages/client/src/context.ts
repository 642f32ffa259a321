import type { DecisionToRecord } from './encode.js';
import type { AsyncContext } from './runtime.js';

/** What is known before a decision is made. */
export type DecisionStart = Pick<DecisionToRecord, 'agent_id' | 'action_type' | 'inputs'> &
  Partial<Pick<DecisionToRecord, 'metadata' | 'idempotency_key'>>;

/** What is known once it is made. */
export type DecisionMade = Pick<DecisionToRecord, 'outputs' | 'confidence'> &
  Partial<Pick<DecisionToRecord, 'alternatives' | 'human_in_loop' | 'metadata' | 'timestamp'>>;

/** A decision in progress. */
export interface DecisionDraft {
  /** States the decision. A later call replaces it. */
  decide(made: DecisionMade): void;
  /** Adds to its metadata. */
  note(metadata: { readonly [name: string]: unknown }): void;
}

/** The decision that surrounds a call. */
export class DecisionScope {
  readonly #context: AsyncContext<DecisionDraft> | null;
  readonly #record: (decision: DecisionToRecord) => void;

  constructor(
    newContext: (<Value>() => AsyncContext<Value>) | null,
    record: (decision: DecisionToRecord) => void,
  ) {
    this.#context = newContext?.<DecisionDraft>() ?? null;
    this.#record = record;
  }

  get current(): DecisionDraft | undefined {
    return this.#context?.getStore();
  }

  async run<Result>(
    start: DecisionStart,
    work: (draft: DecisionDraft) => Promise<Result> | Result,
  ): Promise<Result> {
    let made: DecisionMade | null = null;
    let notes: { readonly [name: string]: unknown } = {};
    const draft: DecisionDraft = {
      decide(given) {
        made = given;
      },
      note(metadata) {
        notes = { ...notes, ...metadata };
      },
    };
    const runWork = async () => work(draft);
    try {
      return await (this.#context === null ? runWork() : this.#context.run(draft, runWork));
    } finally {
      if (made !== null) this.#record(merged(start, made, notes));
    }
  }
}

function merged(
  start: DecisionStart,
  made: DecisionMade,
  notes: { readonly [name: string]: unknown },
): DecisionToRecord {
  const metadata = { ...start.metadata, ...made.metadata, ...notes };
  const hasMetadata = Object.keys(metadata).length > 0;
  return { ...start, ...made, ...(hasMetadata && { metadata }) };
}
