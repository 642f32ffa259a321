import type {
  ConnectorClient,
  Poll,
} from '#server/domains/sources/accounting/connectors/connector';
import { type KnownRecord, matchRecords } from '#server/domains/sources/accounting/rules/match';
import { makePlan } from '#server/domains/sources/accounting/rules/plan';
import type { SourceRecord, Traits } from '#server/domains/sources/accounting/rules/source-record';

/** Uses a connector as a ledger does: poll, plan, record, keep the cursor. Nothing is withheld. */
export function follow(connector: ConnectorClient) {
  const known = new Map<string, KnownRecord>();
  const traits = new Map<string, Traits>();
  let cursor: string | null = null;
  let events = 0;
  const record = (key: string, { fingerprint, traits: seen }: SourceRecord) => {
    events += 1;
    const eventId = `event-${events}`;
    known.set(key, { key, fingerprint, eventId, isDeleted: false });
    if (seen !== undefined) traits.set(eventId, seen);
  };
  return async () => {
    const poll: Poll = await connector.poll(cursor);
    const plan = makePlan(matchRecords([...known.values()], poll), poll, {
      traits,
      refuse: () => null,
    });
    for (const { former } of plan.changed) known.delete(former.key);
    for (const one of [...plan.created, ...plan.revived, ...plan.changed]) {
      record(one.key, one.record);
    }
    for (const former of plan.gone) known.set(former.key, { ...former, isDeleted: true });
    cursor = poll.cursor;
    const changes = [
      ...plan.created.map((one) => describe('record', one)),
      ...plan.revived.map((one) => describe('revive', one)),
      ...plan.changed.map((one) => describe('supersede', one)),
      ...plan.gone.map(({ key }) => `remove ${short(key)}`),
    ];
    return { poll, changes, problems: [...poll.notes, ...plan.problems] };
  };
}

const short = (key: string) => key.replace(/[0-9a-f]{64}/, 'HASH');

function describe(
  kind: string,
  { key, record: { event } }: { readonly key: string; readonly record: SourceRecord },
): string {
  return `${kind} ${short(key)} ${event?.amount} ${event?.currency}`;
}
