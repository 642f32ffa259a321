export type ChainName = 'decisions' | 'activity';

/** The end of a chain, from its head row. */
export interface Head {
  readonly epoch: number;
  readonly seq: number;
  /** Hexadecimal. */
  readonly hash: string;
  /** created_at of the last record, in ms. */
  readonly createdAt: number;
}

/** The table of a chain's records, which has the name of the chain. */
export interface ChainTable {
  readonly chain: ChainName;
  /** The column that time ranges refer to. */
  readonly timeColumn: 'timestamp' | 'created_at';
}
