/** A stored snapshot; the settings and the experience are canonical JSON. */
export interface SnapshotRow {
  readonly snapshot_id: number;
  readonly version: string;
  readonly currency: string;
  readonly settings: string;
  readonly experience: string;
}
