import { type Static, Type } from 'typebox';
import { Hash, Id, Timestamp } from './shared.js';

/** The chains of a ledger. Each has a log. */
const LogChain = Type.Enum(['decisions', 'activity'], { description: 'The chain of the log.' });

/** Path parameters of a log. */
export const LogParams = Type.Object({ chain: LogChain });

/** Path parameters of a public log. */
export const PublicLogParams = Type.Object({
  ledger: Type.String({ description: 'The id of the ledger.' }),
  chain: LogChain,
});

const TilePath = Type.String({
  description:
    'Level, index and width of a tile, such as `0/x001/234` or `0/000.p/7`, or `entries/` and index and ' +
    'width (C2SP tlog-tiles).',
});

/** Path parameters of a tile. */
export const TileParams = Type.Object({ chain: LogChain, '*': TilePath });

/** Path parameters of a tile of a public log. */
export const PublicTileParams = Type.Object({
  ...PublicLogParams.properties,
  '*': TilePath,
});

const Base64Hash = Type.String({
  pattern: '^[A-Za-z0-9+/]{43}=$',
  description: 'SHA-256 in base 64.',
});

/** A transparency log and its last checkpoint. */
export const Log = Type.Object({
  chain: LogChain,
  generation: Type.Integer({ minimum: 1, description: 'How often the log was started.' }),
  origin: Type.String({
    description: 'The first line of its checkpoints, and the name of its key.',
  }),
  verifier_key: Type.String({ description: 'Its public key (C2SP signed-note).' }),
  checkpoint: Type.Object({
    size: Type.Integer({ minimum: 0, description: 'Records that it covers.' }),
    root: Base64Hash,
    signed_at: Timestamp,
  }),
});
export type Log = Static<typeof Log>;

const Size = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

export const ConsistencyQuery = Type.Object(
  {
    first: Size('Records that the earlier checkpoint covers.'),
    second: Size('Records that the later checkpoint covers, at most those of the last one.'),
  },
  { additionalProperties: false },
);
export type ConsistencyQuery = Static<typeof ConsistencyQuery>;

/** The proof that a tree goes on from an earlier one. */
export const Consistency = Type.Object({
  origin: Type.String(),
  first: Type.Integer(),
  second: Type.Integer(),
  proof: Type.Array(Base64Hash, {
    description: 'RFC 9162 section 2.1.4; empty if `first` is 0 or equals `second`.',
  }),
});
export type Consistency = Static<typeof Consistency>;

/** The proof that a decision is in the log. */
export const DecisionProof = Type.Object({
  decision_id: Id('dec'),
  seq: Type.Integer({ minimum: 1 }),
  hash: Hash,
  status: Type.Enum(['covered', 'pending'], {
    description: '`pending` until a checkpoint covers the decision; the answer is then 202.',
  }),
  verifier_key: Type.Union([Type.String(), Type.Null()], {
    description: 'The public key of the log (C2SP signed-note); null while pending.',
  }),
  tlog_proof: Type.Union([Type.String(), Type.Null()], {
    description:
      'The text of a .tlog-proof file (C2SP tlog-proof): index, inclusion proof and checkpoint. Null ' +
      'while pending.',
  }),
});
export type DecisionProof = Static<typeof DecisionProof>;
