import { Shape, ShapeError } from '../bundle/shape.js';
import { type JsonValue, parseJson } from '../gate.js';

/*
 * Presentations (.dlp.json): one decision with chosen fields, and the proof that it is in the log. Texts that
 * were hashed are strings, so that their bytes are exact and can be cut out of the file with simple tools.
 */

export const PRESENTATION_FORMAT = 'decision-ledger/presentation/v1';

/** The fields of a decision that have a commitment, in the order in which they are listed. */
export const PRESENTED_FIELDS = ['inputs', 'outputs', 'alternatives', 'metadata'] as const;
export type PresentedField = (typeof PRESENTED_FIELDS)[number];

/** A log, as it was when the presentation was made. */
export interface PresentedLog {
  /** C2SP signed-note. */
  readonly verifier_key: string;
  /** Signed note (C2SP tlog-checkpoint). */
  readonly checkpoint: string;
}

/** The entry of a record, and its place in the log of its chain. */
export interface PresentedLeaf {
  /** Canonical JSON: the text that was hashed. */
  readonly entry: string;
  /** From 0. */
  readonly index: number;
  /** Inclusion proof: hashes in base 64. */
  readonly path: readonly string[];
}

/** The entry of a record with the disclosure of its data. */
export interface DisclosedLeaf extends PresentedLeaf {
  readonly data: string;
}

export interface Presentation extends PresentedLeaf, PresentedLog {
  readonly format: typeof PRESENTATION_FORMAT;
  /** The disclosure of each chosen field that has a value. */
  readonly disclosures: { readonly [field in PresentedField]?: string };
  /** The records that erased chosen fields, in the log of the activity; null if none were erased. */
  readonly erasures: (PresentedLog & { readonly records: readonly DisclosedLeaf[] }) | null;
}

/** Longest text, in UTF-16 units: four values of 256 KiB, each character as an escape, and the rest. */
export const MAX_PRESENTATION = 4 * 1024 * 1024;
/** Of a tree of at most 2^53 leaves. */
const MAX_PATH = 53;
const MAX_DEPTH = 5;
const LIMITS = { values: 500, members: 100 };

/**
 * The text of a presentation: one member per line.
 *
 * @example
 * ```ts
 * import { type Presentation, presentationText } from '@decision-ledger/proof/presentation/format';
 *
 * function lines(presentation: Presentation) {
 *   return presentationText(presentation).split('\n').length;
 * }
 * ```
 */
export function presentationText(given: Presentation): string {
  const { format, entry, index, path, checkpoint, verifier_key, disclosures, erasures } = given;
  const ordered = { format, entry, index, path, checkpoint, verifier_key, disclosures, erasures };
  return `${JSON.stringify(ordered, null, 2)}\n`;
}

/**
 * Reads the text of a presentation. Nothing in it is verified.
 *
 * @throws GateError if the text is not JSON, is too large or too deep, or names a member twice
 * @throws ShapeError if it is not a presentation
 * @example
 * ```ts
 * import { ShapeError } from '@decision-ledger/proof/bundle/shape';
 * import { readPresentation } from '@decision-ledger/proof/presentation/format';
 *
 * try {
 *   readPresentation('{"format":"decision-ledger/presentation/v1"}');
 * } catch (error) {
 *   if (error instanceof ShapeError) console.error(error.message);
 * }
 * ```
 */
export function readPresentation(text: string): Presentation {
  if (text.length > MAX_PRESENTATION) {
    throw new ShapeError(`It has more than ${MAX_PRESENTATION} characters.`);
  }
  const shape = new Shape(parseJson(text, MAX_DEPTH, LIMITS));
  const presentation: Presentation = {
    format: shape.oneOf('format', [PRESENTATION_FORMAT]),
    ...readLeaf(shape),
    ...readLog(shape),
    disclosures: readDisclosures(shape.object('disclosures')),
    erasures: readErasures(shape.optObject('erasures')),
  };
  shape.done();
  return presentation;
}

function readLeaf(shape: Shape): PresentedLeaf {
  const path = shape.texts('path');
  if (path.length > MAX_PATH) throw new ShapeError(`path has more than ${MAX_PATH} hashes.`);
  return { entry: shape.text('entry'), index: shape.count('index'), path };
}

function readLog(shape: Shape): PresentedLog {
  return { checkpoint: shape.text('checkpoint'), verifier_key: shape.text('verifier_key') };
}

function readDisclosures(shape: Shape): Presentation['disclosures'] {
  const disclosures: { [field in PresentedField]?: string } = {};
  for (const field of PRESENTED_FIELDS) {
    const text = shape.optText(field);
    if (text !== null) disclosures[field] = text;
  }
  shape.done();
  return disclosures;
}

function readErasures(shape: Shape | null): Presentation['erasures'] {
  if (shape === null) return null;
  const records = shape
    .array('records')
    .map((value, at) => readDisclosedLeaf(value, `erasures.records[${at}]`));
  if (records.length === 0 || records.length > PRESENTED_FIELDS.length) {
    throw new ShapeError(`erasures.records has not 1 to ${PRESENTED_FIELDS.length} records.`);
  }
  const erasures = { ...readLog(shape), records };
  shape.done();
  return erasures;
}

/**
 * Reads an entry with its place in a log and the disclosure of its data. Nothing in it is verified.
 *
 * @param path names it in errors
 * @throws ShapeError
 * @example
 * ```ts
 * import { readDisclosedLeaf } from '@decision-ledger/proof/presentation/format';
 *
 * const leaf = { entry: '{}', index: 0, path: [], data: '["salt","data",{}]' };
 * readDisclosedLeaf(leaf, 'records[0]').index; // => 0
 * ```
 */
export function readDisclosedLeaf(value: JsonValue, path: string): DisclosedLeaf {
  const shape = new Shape(value, path);
  const leaf = { ...readLeaf(shape), data: shape.text('data') };
  shape.done();
  return leaf;
}
