import type { DecisionEntry } from '@decision-ledger/proof/entry';
import type { Linked } from '../chain-lines.js';
import { DecisionLines, isInRange } from '../entries.js';
import type { NamedDecision } from './document.js';
import type { StatementFile } from './statement-file.js';

/** Verifies the run of decisions, and compares the rows of a statement with their entries. */
export class StatementEntries extends DecisionLines {
  readonly #statement: StatementFile;
  /** Rows by the decision that they name, until its entry is read. */
  readonly #due = new Map<string, NamedDecision[]>();
  readonly #estimated = new Map<string, string>();
  /** Decisions of the agent. */
  readonly #own = new Set<string>();

  constructor(
    options: ConstructorParameters<typeof DecisionLines>[0],
    beside: ConstructorParameters<typeof DecisionLines>[1],
    statement: StatementFile,
  ) {
    super(options, beside);
    this.#statement = statement;
  }

  /** Called once the rows of the statement are read, before the entries. */
  expectRows(): void {
    const { money, estimates } = this.#statement;
    for (const row of [...money, ...estimates]) {
      const others = this.#due.get(row.decisionId);
      if (others === undefined) this.#due.set(row.decisionId, [row]);
      else others.push(row);
    }
    for (const row of estimates) this.#estimated.set(row.decisionId, row.timestamp);
  }

  /** Whether the entry of a decision of the agent was read. */
  isOfAgent(decisionId: string): boolean {
    return this.#own.has(decisionId);
  }

  override end(): void {
    super.end();
    for (const [id, rows] of this.#due) {
      const message = 'The run of entries has no entry of the decision that the row names.';
      this.#statement.fail('row_decision', message, { seq: rows[0]?.seq ?? 0, id });
    }
    const head = this.#statement.about?.decisions ?? null;
    const hash = head === null ? null : this.run.hashAt(head.seq);
    if (head !== null && hash !== null && hash !== head.hash) {
      const message = `The statement names ${head.hash} as the hash of seq ${head.seq}; the entry has ${hash}.`;
      this.#statement.fail('figure_state', message, { seq: head.seq });
    }
  }

  protected override addEntry(linked: Linked<DecisionEntry>): void {
    super.addEntry(linked);
    const { about } = this.#statement;
    if (about === null) return;
    const { decision_id: id, agent_id: agent, seq, timestamp } = linked.entry;
    const isOwn = agent === about.agentId;
    if (isOwn) this.#own.add(id);
    for (const row of this.#due.get(id) ?? []) this.#compare(row, linked, isOwn);
    this.#due.delete(id);
    const stated = this.#estimated.get(id);
    if (stated !== undefined && stated !== timestamp) {
      const message = `The row is dated ${stated}; the entry of the decision says ${timestamp}.`;
      this.#statement.fail('row_decision', message, { seq, id });
    }
    if (isOwn && stated === undefined && isInRange(this.manifest, timestamp)) {
      const message = 'The decision of the agent is in the range, but has no row.';
      const finding = { code: 'row_missing', file: 'statement.json', seq, id, message } as const;
      this.missing(finding);
    }
  }

  #compare(
    { seq, hash }: NamedDecision,
    { entry, hash: standing }: Linked<DecisionEntry>,
    isOwn: boolean,
  ): void {
    const at = { seq, id: entry.decision_id };
    if (seq !== entry.seq || hash !== standing) {
      const message = `The row names seq ${seq} with the hash ${hash}; the entry of the decision has seq ${entry.seq} and ${standing}.`;
      this.#statement.fail('row_decision', message, at);
    }
    if (isOwn) return;
    const message = `The row names a decision of the agent ${entry.agent_id}.`;
    this.#statement.fail('row_agent', message, at);
  }
}
