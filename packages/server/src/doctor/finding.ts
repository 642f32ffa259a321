/** How a check ended. `skipped`: an earlier failure made it impossible. */
type Status = 'ok' | 'warning' | 'failed' | 'skipped';

export interface Finding {
  readonly status: Status;
  /** What was found, as a sentence without a full stop. */
  readonly found: string;
  /** What to do about it; null if there is nothing to do. */
  readonly remedy: string | null;
  /** More than a sentence can say, for programs. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export function ok(found: string, details?: Finding['details']): Finding {
  return { status: 'ok', found, remedy: null, ...(details !== undefined && { details }) };
}

export function warning(found: string, remedy: string): Finding {
  return { status: 'warning', found, remedy };
}

export function failed(found: string, remedy: string, details?: Finding['details']): Finding {
  return { status: 'failed', found, remedy, ...(details !== undefined && { details }) };
}

export function skipped(found: string): Finding {
  return { status: 'skipped', found, remedy: null };
}
