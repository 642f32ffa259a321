/** Sums of the test of one version of an agent; a JSON value, stored until the next night. */
export interface DriftState {
  /** CUSUM of the evidence that losses have become twice as frequent, and half as frequent. */
  readonly up: number;
  readonly down: number;
  /** Resolved decisions, losses and expected losses since each sum was last zero. */
  readonly sinceUp: Since;
  readonly sinceDown: Since;
  /** Resolved decisions and losses counted so far. */
  readonly decisions: number;
  readonly losses: number;
}

export interface Since {
  readonly decisions: number;
  readonly losses: number;
  readonly expected: number;
}

export interface Drift {
  readonly direction: 'up' | 'down';
  readonly since: Since;
}

/** The change that is looked for, as a factor on the loss rate. */
const FACTOR = 2;
/** In units of log-likelihood: without drift, an alarm is raised once in several thousand losses. */
const THRESHOLD = 6;

const NOTHING: Since = { decisions: 0, losses: 0, expected: 0 };

export const NO_DRIFT: DriftState = {
  up: 0,
  down: 0,
  sinceUp: NOTHING,
  sinceDown: NOTHING,
  decisions: 0,
  losses: 0,
};

/**
 * Adds the outcomes that became known to a two-sided CUSUM (Page, 1954) of Poisson counts.
 * @param before its sums; null starts them without looking at the past
 * @param total resolved decisions and losses so far
 * @param rate loss rate that the model expects of these decisions
 */
export function watchDrift(
  before: DriftState | null,
  total: { readonly decisions: number; readonly losses: number },
  rate: number,
): { readonly state: DriftState; readonly drift: Drift | null } {
  const { decisions, losses } = total;
  if (before === null) return { state: { ...NO_DRIFT, decisions, losses }, drift: null };
  const fresh = {
    decisions: Math.max(0, decisions - before.decisions),
    losses: Math.max(0, losses - before.losses),
    expected: Math.max(0, decisions - before.decisions) * rate,
  };
  const up = before.up + fresh.losses * Math.log(FACTOR) - fresh.expected * (FACTOR - 1);
  const down = before.down - fresh.losses * Math.log(FACTOR) + fresh.expected * (1 - 1 / FACTOR);
  const sinceUp = up <= 0 ? NOTHING : addSince(before.sinceUp, fresh);
  const sinceDown = down <= 0 ? NOTHING : addSince(before.sinceDown, fresh);
  const counted = { decisions, losses };
  // A reported drift resets the sums: the model learns the new rate from here on.
  if (up > THRESHOLD) {
    return { state: { ...NO_DRIFT, ...counted }, drift: { direction: 'up', since: sinceUp } };
  }
  if (down > THRESHOLD) {
    return { state: { ...NO_DRIFT, ...counted }, drift: { direction: 'down', since: sinceDown } };
  }
  const state = { up: Math.max(0, up), down: Math.max(0, down), sinceUp, sinceDown, ...counted };
  return { state, drift: null };
}

function addSince(before: Since, fresh: Since): Since {
  return {
    decisions: before.decisions + fresh.decisions,
    losses: before.losses + fresh.losses,
    expected: before.expected + fresh.expected,
  };
}
