export type ChainName = 'decisions' | 'activity';

/** The end of a chain as its locked row tells it. */
export interface Head {
  readonly epoch: number;
  readonly seq: number;
  /** Hexadecimal. */
  readonly hash: string;
  /** created_at of the last record, ms. */
  readonly createdAt: number;
}

/** Where a chain's records are: each chain has the table of its own name. */
export interface ChainTable {
  readonly chain: ChainName;
  /** The column by which ranges of time are told. */
  readonly timeColumn: 'timestamp' | 'created_at';
}
