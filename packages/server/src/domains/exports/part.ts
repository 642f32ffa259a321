/** A file of a bundle, made piece by piece; each piece says from where to go on behind it. */
export interface Part {
  readonly name: string;
  /** From the beginning, or behind the piece that had this `next`. */
  pieces(from: string | null): AsyncIterable<Piece>;
}

export interface Piece {
  /** As it stands in the file: all pieces in their order are the file. */
  readonly text: string;
  readonly next: string;
  readonly records: number;
}
