import { DecisionBody } from '@decision-ledger/contract/decision';
import { FinancialEventBody } from '@decision-ledger/contract/financial-event';
import { checker } from '@decision-ledger/contract/validation';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { appendDecisions, checkDecision } from '../domains/record/decisions/index.js';
import { prepareEvent, recordEvent } from '../domains/record/financial-events/index.js';
import { answerOnce } from '../http/once.js';
import type { IdempotencyMark } from '../platform/idempotency.js';
import { uuidToId } from '../platform/ids.js';
import type { Ledger } from '../platform/ledger.js';
import type { Principal } from '../platform/principal.js';
import type { Service } from '../service.js';

/** A checked line of an import file. */
export type ImportRecord =
  | { readonly kind: 'decision'; readonly body: DecisionBody }
  | { readonly kind: 'event'; readonly body: FinancialEventBody };

/** Records a line. Returns whether an earlier import had recorded it. */
export type ImportRecorder = (record: ImportRecord, mark: IdempotencyMark) => Promise<boolean>;

const checkDecisionBody = checker(DecisionBody, 'body');
const checkEventBody = checker(FinancialEventBody, 'body');

/**
 * @param now ms since the epoch
 * @throws LedgerError `validation_error`
 */
export function readRecord(value: JsonValue, now: number): ImportRecord {
  if (isEvent(value)) {
    const body = checkEventBody(value);
    prepareEvent(body);
    return { kind: 'event', body };
  }
  const body = checkDecisionBody(value);
  checkDecision(body, now);
  return { kind: 'decision', body };
}

/** Decisions and events have distinct required fields. */
function isEvent(value: JsonValue): boolean {
  return (
    typeof value === 'object' && value !== null && ('event_type' in value || 'amount' in value)
  );
}

export function importRecorder(
  ledger: Ledger,
  service: Service,
  principal: Principal,
): ImportRecorder {
  const recordEvents = eventRecorder(ledger, service, principal);
  return async (record, mark) => {
    if (record.kind === 'event') return recordEvents(record.body, mark);
    const appended = await appendDecisions(service, ledger.scope, {
      bodies: [record.body],
      withLiability: false,
      path: () => '',
      idempotency: mark,
    });
    return appended.replayed;
  };
}

/** Maximum number of events per transaction. */
const GROUP = 100;

interface WaitingEvent {
  readonly body: FinancialEventBody;
  readonly mark: IdempotencyMark;
  readonly done: (replayed: boolean) => void;
  readonly failed: (error: unknown) => void;
}

/** Records events in sequential groups: all waiting events go into the next group. */
function eventRecorder(ledger: Ledger, service: Service, principal: Principal) {
  const waiting: WaitingEvent[] = [];
  let isRunning = false;
  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0)
      await recordGroup(ledger, service, principal, waiting.splice(0, GROUP));
    isRunning = false;
  }
  return (body: FinancialEventBody, mark: IdempotencyMark): Promise<boolean> =>
    new Promise((done, failed) => {
      waiting.push({ body, mark, done, failed });
      if (!isRunning) run().catch(failed);
    });
}

async function recordGroup(
  ledger: Ledger,
  service: Service,
  principal: Principal,
  group: readonly WaitingEvent[],
): Promise<void> {
  try {
    const replays = await ledger.write(async (tx) => {
      const all: boolean[] = [];
      for (const { body, mark } of group) {
        const { replayed } = await answerOnce(tx, mark, {
          read: (id) => id,
          make: async () => {
            const { event_id } = await recordEvent(tx, service.hooks, principal, body);
            return uuidToId('evt', event_id);
          },
        });
        all.push(replayed);
      }
      return all;
    });
    for (const [index, { done }] of group.entries()) done(replays[index] ?? false);
  } catch (error) {
    for (const { failed } of group) failed(error);
  }
}
