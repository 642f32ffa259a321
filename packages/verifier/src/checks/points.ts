import type { ChainPoint, RunStart } from '@decision-ledger/proof/bundle/manifest';

export function isSamePoint(a: ChainPoint | null, b: ChainPoint | null): boolean {
  return a?.seq === b?.seq && a?.hash === b?.hash;
}

export function isSameStart(a: RunStart | null, b: RunStart | null): boolean {
  return isSamePoint(a, b) && a?.prev_hash === b?.prev_hash;
}

/** A record of a chain, as shown in a finding. */
export function describePoint(point: ChainPoint | null): string {
  return point === null ? 'none' : `seq ${point.seq} (${point.hash})`;
}

/** The first record of a run, as shown in a finding. */
export function describeStart(start: RunStart | null): string {
  return start === null ? 'none' : `${describePoint(start)} after ${start.prev_hash}`;
}
