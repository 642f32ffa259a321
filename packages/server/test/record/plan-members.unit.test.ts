import { LedgerError } from '@decision-ledger/contract/errors';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effectiveSettings } from '#server/domains/access/settings/rules/check';
import { firstModel } from '#server/domains/judgement/liability/first-estimates';
import {
  experienceText,
  NO_EXPERIENCE,
  openSnapshot,
  settingsRow,
} from '#server/domains/judgement/liability/stored-snapshot';
import type { Append } from '#server/domains/record/decisions/decide-steps';
import {
  type AppendOutcome,
  type GroupPlan,
  planGroup,
} from '#server/domains/record/decisions/plan-group';
import { prepareDecision } from '#server/domains/record/decisions/rules/prepare';
import { uuidToId } from '#server/platform/ids';

/** A decision: its key, if it has one, and its content. */
interface Member {
  readonly key: string | null;
  readonly content: number;
}

/** A request: the key of the whole, if it has one. A single decision has its key in the header. */
interface Request {
  readonly kind: 'single' | 'batch';
  readonly key: string | null;
  readonly members: readonly Member[];
}

const NOW = Date.UTC(2026, 3, 16);
const BODY = { agent_id: 'a', action_type: 'b', inputs: {}, outputs: {}, confidence: 0.9 };
const first = firstModel(
  openSnapshot({
    ...{ snapshot_id: 1, version: 'v1', ...settingsRow(effectiveSettings({})) },
    experience: experienceText(NO_EXPERIENCE),
  }),
);

/** What a request asks for, as text: the same text is the same request. */
function signature({ kind, members }: Request): string {
  return kind === 'single' ? single(members[0]) : `batch ${JSON.stringify(members)}`;
}
const single = (member: Member | undefined) => `single ${member?.content}`;

/** @param first number of its first decision; ids follow from the numbers */
function toAppend(request: Request, first: number): Append {
  const decisions = request.members.map((_, n) =>
    prepareDecision(BODY, {
      ledgerId: uuid(0),
      decisionId: uuid(first + n),
      now: NOW,
      salt: () => 'A'.repeat(22),
      path: '',
      claims: [],
    }),
  );
  const { kind, key, members } = request;
  return {
    decisions,
    estimated: kind === 'single' ? members.map(() => BODY) : null,
    idempotency: key === null ? null : { key, request: signature(request) },
    memberMarks: members.every((member) => member.key === null)
      ? null
      : members.map((member) =>
          member.key === null
            ? null
            : { key: member.key, request: single(member), text: member.key },
        ),
    path: (n) => `decisions[${n}].`,
  };
}

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const id = (n: number) => uuidToId('dec', uuid(n));

/** The answer that the documentation promises. */
type Expected =
  | { readonly refused: readonly string[] }
  | {
      readonly ids: readonly string[];
      readonly replayed: boolean;
      readonly replays: readonly number[];
    };

/** A ledger that remembers the first use of each key: the documentation as a program. */
class Memory {
  private readonly known = new Map<
    string,
    { readonly what: string; readonly ids: readonly string[] }
  >();
  readonly recorded: string[] = [];

  take(request: Request, first: number): Expected {
    const whole = request.key === null ? undefined : this.known.get(request.key);
    if (whole !== undefined) {
      if (whole.what !== signature(request)) return { refused: [] };
      return { ids: whole.ids, replayed: true, replays: [] };
    }
    const before = new Map(this.known);
    if (request.key !== null) this.known.set(request.key, { what: signature(request), ids: [] });
    const [ids, fresh, replays, refused] = [[], [], [], []] as [
      string[],
      string[],
      number[],
      string[],
    ];
    for (const [n, member] of request.members.entries()) {
      const earlier = member.key === null ? undefined : this.known.get(member.key);
      if (earlier === undefined) {
        ids.push(id(first + n));
        fresh.push(id(first + n));
        if (member.key !== null)
          this.known.set(member.key, { what: single(member), ids: [id(first + n)] });
      } else if (earlier.what === single(member)) {
        ids.push(...earlier.ids);
        replays.push(n);
      } else refused.push(`decisions[${n}].idempotency_key`);
    }
    if (refused.length > 0) {
      this.known.clear();
      for (const [key, use] of before) this.known.set(key, use);
      return { refused };
    }
    if (request.key !== null) this.known.set(request.key, { what: signature(request), ids });
    this.recorded.push(...fresh);
    return { ids, replayed: fresh.length === 0, replays };
  }
}

function described(outcome: AppendOutcome): Expected {
  if (outcome instanceof LedgerError) {
    expect(outcome.code).toBe('idempotency_conflict');
    return { refused: Object.keys(outcome.details?.fields ?? {}) };
  }
  const ids = outcome.receipts.map(({ decision_id }) => decision_id);
  return { ids, replayed: outcome.replayed, replays: outcome.replays };
}

const key = fc.constantFrom(null, 'k1', 'k2', 'k3', 'k4');
const content = fc.integer({ min: 1, max: 2 });
const requests = fc.oneof(
  fc.record({ key, content }).map((made): Request => {
    return { kind: 'single', key: made.key, members: [{ key: null, content: made.content }] };
  }),
  fc
    .record({
      key: fc.option(fc.constantFrom('k1', 'h1', 'h2'), { freq: 3 }),
      members: fc.array(fc.record({ key, content }), { minLength: 1, maxLength: 5 }),
    })
    .map((made): Request => ({ kind: 'batch', ...made })),
);

describe('Keys of the decisions of a batch', () => {
  it('Any sequence of groups answers and records as a ledger that remembers the first use of each key', () => {
    fc.assert(
      fc.property(fc.array(fc.array(requests, { maxLength: 5 }), { maxLength: 6 }), (groups) => {
        const memory = new Memory();
        const stored = new Map<string, GroupPlan['answers'][number]>();
        const recorded: string[] = [];
        let [next, seq, hash] = [1, 0, 'a'.repeat(64)];
        for (const group of groups) {
          const firsts = group.map(({ members }) => {
            next += members.length;
            return next - members.length;
          });
          const expected = group.map((request, n) => memory.take(request, firsts[n] ?? 0));
          const plan = planGroup(
            group.map((request, n) => toAppend(request, firsts[n] ?? 0)),
            { stored, open: new Set() },
            { ledger: 'led_1', epoch: 1, seq, hash, createdAt: NOW, decisionIdText: idText },
            first,
            null,
          );
          expect(plan.outcomes.map(described)).toEqual(expected);
          for (const answer of plan.answers) {
            expect(stored.has(answer.key)).toBe(false);
            stored.set(answer.key, answer);
          }
          for (const entry of plan.entries) {
            seq += 1;
            expect([entry.receipt.seq, entry.prevHash]).toEqual([seq, hash]);
            recorded.push(entry.receipt.decision_id);
            hash = entry.hash;
          }
        }
        expect(recorded).toEqual(memory.recorded);
      }),
      { numRuns: 500, seed: 16 },
    );
  });

  it('Receipts in a batch have no estimate, even if the decision was first recorded alone', () => {
    const alone: Request = { kind: 'single', key: 'k1', members: [{ key: null, content: 1 }] };
    const batch: Request = { kind: 'batch', key: null, members: [{ key: 'k1', content: 1 }] };
    const place = { ledger: 'led_1', epoch: 1, seq: 0, hash: 'a'.repeat(64), createdAt: NOW };
    const { outcomes } = planGroup(
      [toAppend(alone, 1), toAppend(batch, 2), toAppend(alone, 3)],
      { stored: new Map(), open: new Set() },
      { ...place, decisionIdText: idText },
      first,
      null,
    );
    const withEstimate = outcomes.map(
      (outcome) => !(outcome instanceof LedgerError) && 'liability' in (outcome.receipts[0] ?? {}),
    );
    expect(withEstimate).toEqual([true, false, true]);
  });
});

const idText = (text: string) => uuidToId('dec', text);
