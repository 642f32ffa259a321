import { raw } from 'sql-template-tag';

/** A stored change as the queries of this room read it: bytes in hexadecimal, times in ms. */
export interface ActivityRecord {
  readonly seq: number;
  readonly epoch: number;
  readonly activity_id: string;
  readonly type: string;
  readonly actor: string;
  readonly subject: string;
  readonly created_at: number;
  readonly entry: string;
  readonly hash: string;
  readonly prev_hash: string;
  readonly data: string | null;
}

export const ACTIVITY_COLUMNS = raw(`seq, epoch, activity_id, type, actor, subject,
  (extract(epoch from created_at) * 1000)::bigint as created_at, entry,
  encode(hash, 'hex') as hash, encode(prev_hash, 'hex') as prev_hash, data`);
