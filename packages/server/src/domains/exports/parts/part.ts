/** Some text of a file, and from where to go on behind it. */
export interface Piece {
  readonly text: string;
  readonly next: string;
  /** Records in it, for the progress. */
  readonly records: number;
}

/** A file of a bundle, made piece by piece: all pieces behind each other are the file. */
export interface Part {
  readonly name: string;
  /** @param from what the last piece that was kept told; null at the beginning */
  pieces(from: string | null): AsyncIterable<Piece>;
}
