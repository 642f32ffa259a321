/** One figure for events that share an identifier with a decision, and one for those that do not. */
export interface BySharing<Figure = number> {
  readonly shared: Figure;
  readonly apart: Figure;
}

export const ofSharing = <Figure>(
  { shared, apart }: BySharing<Figure>,
  isShared: boolean,
): Figure => (isShared ? shared : apart);

export const NO_SHIFT: BySharing = { shared: 0, apart: 0 };

/** The share of a level, in log-odds. Below 1, so that the log of the rest is finite. */
export const toShare = (logOdds: number): number =>
  1 / (1 + Math.exp(-Math.min(MAX_LOG_ODDS, logOdds)));
const MAX_LOG_ODDS = 30;
