import type { StreamData, StreamTypeOf } from '@decision-ledger/contract/stream-events';

type Announced<Type extends StreamTypeOf<'announcements'>> = Type extends unknown
  ? {
      readonly type: Type;
      /** Identifier of what it is about. */
      readonly subject: string;
      readonly data: StreamData<Type>;
    }
  : never;

/** An event of the stream that is no evidence: one of the types of the log `announcements`. */
export type Announcement = Announced<StreamTypeOf<'announcements'>>;
