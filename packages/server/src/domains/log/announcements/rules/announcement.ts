import type { JsonValue } from '@decision-ledger/proof/gate';

/** Something that is told and is no evidence. */
export interface Announcement {
  readonly type: string;
  /** Identifier of what it is about. */
  readonly subject: string;
  readonly data: { readonly [name: string]: JsonValue };
}
