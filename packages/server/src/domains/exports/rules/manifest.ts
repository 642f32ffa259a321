import type { ExportType } from '@decision-ledger/contract/export';

export const BUNDLE_FORMAT = 'decision-ledger/bundle/v1';

export interface BundleFile {
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** One end of a run of a chain; `prev_hash` where it is the first. */
export interface RunEnd {
  readonly seq: number;
  readonly hash: string;
  readonly prev_hash: string;
}

export interface Run {
  readonly first: RunEnd | null;
  readonly last: RunEnd | null;
}

/** What a bundle says of itself. Times are RFC 3339. */
export interface BundleFacts {
  readonly exportId: string;
  readonly exportType: ExportType;
  readonly organisation: string;
  readonly ledger: string;
  readonly mode: 'live' | 'test';
  readonly createdAt: string;
  readonly start: string;
  readonly end: string;
  readonly version: string;
  readonly decisions: Run & { readonly count: number; readonly erasedFields: number };
  readonly activity: Run & { readonly since: number };
  readonly fingerprint: string;
  readonly algorithm: string;
}

/** The text of manifest.json. */
export function manifestText(facts: BundleFacts, files: readonly BundleFile[]): string {
  const { decisions, activity } = facts;
  const manifest = {
    format: BUNDLE_FORMAT,
    export_id: facts.exportId,
    export_type: facts.exportType,
    organisation: facts.organisation,
    ledger: facts.ledger,
    mode: facts.mode,
    created_at: facts.createdAt,
    range: { start: facts.start, end: facts.end },
    version: facts.version,
    ...(facts.exportType !== 'insurance' && {
      decisions: {
        count: decisions.count,
        erased_fields: decisions.erasedFields,
        first: decisions.first,
        last: lastOf(decisions),
      },
      activity: { since: activity.since, first: activity.first, last: lastOf(activity) },
    }),
    signing_key: { fingerprint: facts.fingerprint, algorithm: facts.algorithm },
    files,
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

function lastOf({ last }: Run) {
  return last === null ? null : { seq: last.seq, hash: last.hash };
}
