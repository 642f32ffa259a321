import { LedgerError } from '@decision-ledger/contract/errors';
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

const NOW = Date.UTC(2026, 3, 16);
const LEDGER = '00000000-0000-4000-8000-000000000000';

const place = {
  ledger: 'led_1',
  epoch: 1,
  seq: 7,
  hash: 'a'.repeat(64),
  createdAt: NOW,
  decisionIdText: (uuid: string) => uuidToId('dec', uuid),
};

const first = firstModel(
  openSnapshot({
    ...{ snapshot_id: 3, version: 'v1', ...settingsRow(effectiveSettings({})) },
    experience: experienceText(NO_EXPERIENCE),
  }),
);

const uuid = (n: string) => `00000000-0000-4000-8000-${n.padStart(12, '0')}`;
const id = (n: string) => uuidToId('dec', uuid(n));

const BODY = { agent_id: 'a', action_type: 'b', inputs: {}, outputs: {}, confidence: 0.9 };

/** A request of some decisions; the idempotency key is `key`, and its hash of the body `request`. */
function append(names: readonly string[], key?: string, request = 'same'): Append {
  const decisions = names.map((name) =>
    prepareDecision(BODY, {
      ledgerId: LEDGER,
      decisionId: uuid(name),
      now: NOW,
      salt: () => 'A'.repeat(22),
      path: '',
      claims: [],
    }),
  );
  const idempotency = key === undefined ? null : { key, request };
  return { decisions, estimated: null, idempotency, memberMarks: null, path: () => '' };
}

/** A request of one decision that was made `age` ms before its recording. */
function aged(name: string, age: number, key?: string): Append {
  const request = append([name], key);
  const decisions = request.decisions.map((one) => ({ ...one, timestamp: NOW - age }));
  return { ...request, decisions };
}

const NONE: ReadonlySet<string> = new Set();

const plan = (appends: readonly Append[], stored: ReadonlyMap<string, Stored> = new Map()) =>
  planGroup(appends, { stored, open: NONE }, place, first, null);

interface Stored {
  readonly key: string;
  readonly request: string;
  readonly response: string;
}

/** What is stored once a group is written. */
const storedBy = ({ answers }: GroupPlan) =>
  new Map(answers.map((answer): [string, Stored] => [answer.key, answer]));

const summary = (outcome: AppendOutcome) =>
  outcome instanceof LedgerError
    ? outcome.code
    : [outcome.replayed, ...outcome.receipts.map(({ decision_id }) => decision_id)];

describe('the plan of a group', () => {
  it('The decisions of all new requests are chained in order', () => {
    const { entries, outcomes } = plan([append(['1', '2']), append(['3'], 'k')]);
    expect(entries.map(({ receipt }) => receipt.seq)).toEqual([8, 9, 10]);
    expect(entries.map((entry) => entry.prevHash)).toEqual([
      place.hash,
      ...entries.slice(0, 2).map((entry) => entry.hash),
    ]);
    expect(outcomes.map(summary)).toEqual([
      [false, id('1'), id('2')],
      [false, id('3')],
    ]);
  });

  it('A repeat of a stored request gets the stored receipts and writes nothing', () => {
    const first = plan([append(['1', '2'], 'k')]);
    const second = plan([append(['3', '4'], 'k')], storedBy(first));
    expect(second.entries).toEqual([]);
    expect(second.answers).toEqual([]);
    expect(second.outcomes.map(summary)).toEqual([[true, id('1'), id('2')]]);
  });

  it('A repeat within the group gets the receipts of the first request', () => {
    const { entries, answers, outcomes } = plan([
      append(['1'], 'k'),
      append(['2'], 'other'),
      append(['3'], 'k'),
    ]);
    expect(entries).toHaveLength(2);
    expect(answers.map(({ key }) => key)).toEqual(['k', 'other']);
    expect(outcomes.map(summary)).toEqual([
      [false, id('1')],
      [false, id('2')],
      [true, id('1')],
    ]);
  });

  it('A key used with another request is refused, and the rest of the group is recorded', () => {
    const stored = storedBy(plan([append(['1'], 'old')]));
    const { entries, outcomes } = plan(
      [
        append(['2'], 'old', 'changed'),
        append(['3'], 'new'),
        append(['4'], 'new', 'changed'),
        append(['5']),
      ],
      stored,
    );
    expect(entries.map(({ receipt }) => receipt.seq)).toEqual([8, 9]);
    expect(outcomes.map(summary)).toEqual([
      'idempotency_conflict',
      [false, id('3')],
      'idempotency_conflict',
      [false, id('5')],
    ]);
  });

  it('An upload goes to the first request that is not refused', () => {
    const taking = (name: string, uploads: readonly string[], key?: string): Append => {
      const request = append([name], key);
      const claims = uploads.map((uploadId) => ({ uploadId, field: 'outputs' as const }));
      return { ...request, decisions: request.decisions.map((one) => ({ ...one, claims })) };
    };
    const late = taking('1', ['u']);
    const { entries, outcomes } = planGroup(
      [
        { ...late, decisions: late.decisions.map((one) => ({ ...one, timestamp: NOW - 60_001 })) },
        taking('2', ['u', 'taken']),
        taking('3', ['v', 'v']),
        taking('4', ['u'], 'k'),
        taking('5', ['u'], 'k'),
        taking('6', ['u']),
        taking('7', ['v']),
      ],
      { stored: new Map(), open: new Set(['u', 'v']) },
      place,
      first,
      60,
    );
    expect(outcomes.map(summary)).toEqual([
      ...['too_late', 'conflict', 'conflict', [false, id('4')], [true, id('4')], 'conflict'],
      [false, id('7')],
    ]);
    const uploads = entries.map(({ decision }) => decision.claims.map(({ uploadId }) => uploadId));
    expect(uploads).toEqual([['u'], ['v']]);
  });

  it('A request that is too late is refused, and leaves its key to a later one', () => {
    const limited = (appends: readonly Append[], stored: ReadonlyMap<string, Stored> = new Map()) =>
      planGroup(appends, { stored, open: NONE }, place, first, 60);
    const [edge, late] = [60_000, 60_001];
    const { entries, answers, outcomes } = limited([
      aged('1', edge),
      aged('2', late, 'k'),
      append(['3'], 'k'),
    ]);
    expect(outcomes.map(summary)).toEqual([[false, id('1')], 'too_late', [false, id('3')]]);
    expect(entries).toHaveLength(2);
    expect(answers.map(({ key }) => key)).toEqual(['k']);
    const stored = storedBy(plan([aged('4', late, 'old')]));
    expect(limited([aged('5', late, 'old')], stored).outcomes.map(summary)).toEqual([
      [true, id('4')],
    ]);
  });

  it('The first estimate is added to the receipts that request it', () => {
    const [bare, full] = plan([
      append(['1']),
      { ...append(['2']), estimated: [BODY] },
    ]).outcomes.flatMap((outcome) => (outcome instanceof LedgerError ? [] : outcome.receipts));
    expect(bare).not.toHaveProperty('liability');
    expect(full).toHaveProperty('liability.currency', 'USD');
  });
});
