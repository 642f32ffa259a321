/** What every file tells of a stored decision. Times in ms, hashes in hexadecimal. */
export interface DecisionColumns {
  readonly seq: number;
  /** Public identifier. */
  readonly decision_id: string;
  readonly agent_id: string;
  readonly action_type: string;
  readonly confidence: number;
  readonly human_in_loop: boolean;
  readonly timestamp: number;
  readonly created_at: number;
  readonly hash: string;
  readonly prev_hash: string;
  readonly entry: string;
}
