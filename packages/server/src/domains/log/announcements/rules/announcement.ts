import type { JsonValue } from '@decision-ledger/proof/gate';

/** A message of the live stream that is not evidence. */
export interface Announcement {
  readonly type: string;
  /** Identifier of the object it is about. */
  readonly subject: string;
  readonly data: { readonly [name: string]: JsonValue };
}
