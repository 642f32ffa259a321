import { type Encoded, type Entry, type Instead, withDecidedAt, withoutStamp } from './encode.js';
import { LedgerApiError } from './errors.js';
import { LIMITS } from './limits.js';

/**
 * The form in which a refused decision is sent next; null if there is none.
 *
 * The service refuses times more than five minutes ahead of its clock: the time of this machine is then
 * left out. It refuses times before its limit of lateness: the time then goes into the metadata. A key
 * that was used with another content may be that of one of these forms, which a former process sent and
 * whose answer it never saw. Both are tried, so that no decision is recorded twice or lost.
 *
 * An upload expires while no decision takes it, such as in a long outage. Then it is made again, once.
 */
export function nextForm(entry: Entry, error: LedgerApiError): Entry | null {
  const { code } = error;
  if (isUploadGone(entry, error)) return { ...entry, isRenewed: true };
  const blamesTime = blames(error, /(^|\.)timestamp$/);
  const form = entry.instead?.form;
  if (code === 'idempotency_conflict') {
    if (form === undefined) return late(entry) ?? unstamped(entry);
    return form === 'late' ? unstamped(entry) : null;
  }
  if (!blamesTime || form !== undefined) return null;
  return code === 'too_late' ? late(entry) : unstamped(entry);
}

function isUploadGone({ bytes, isRenewed = false }: Entry, error: LedgerApiError): boolean {
  if (isRenewed || bytes <= LIMITS.fieldBytes) return false;
  const isContent = error.code === 'conflict' || error.code === 'validation_error';
  return isContent && blames(error, /(^|\.)(inputs|outputs)$/);
}

function blames({ details }: LedgerApiError, path: RegExp): boolean {
  return Object.keys(details.fields ?? {}).some((one) => path.test(one));
}

function late(entry: Entry): Entry | null {
  const json = withDecidedAt(entry.json);
  return json === null ? null : changed(entry, { form: 'late', json });
}

function unstamped(entry: Entry): Entry | null {
  if (!entry.isStamped) return null;
  return changed(entry, { form: 'unstamped', json: withoutStamp(entry.json) });
}

function changed(entry: Entry, instead: Instead): Entry {
  return { ...entry, instead };
}

/** The form that replaces a single decision whose time was refused. A used key is the caller's own. */
export function insteadOf({ json, isStamped }: Encoded, error: unknown): Instead | null {
  if (!(error instanceof LedgerApiError) || error.code === 'idempotency_conflict') return null;
  return nextForm({ json, isStamped, bytes: 0 }, error)?.instead ?? null;
}
