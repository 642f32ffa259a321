/** Browsers cap the height of an element: Firefox at 17.8 million pixels, Chromium at 33.5 million. */
const MAX_PX = 12_000_000;
/** At both ends of a list that is higher, a pixel of the scroll bar is a pixel of the list. */
const END_PX = 1_000_000;
/** The scroll bar may be this far from its place before it is moved there. */
const DRIFT_PX = 400_000;
/** How near to an end of the bar it is moved to its place, in heights of the view. */
const EDGE_VIEWS = 4;

/** A list and what is seen of it, in pixels. */
export interface Extent {
  /** Height of all rows. */
  readonly total: number;
  /** Height of the view. */
  readonly view: number;
}

/** Where a list is scrolled to, in pixels. */
export interface Position {
  /** Of the element: what the scroll bar says. */
  readonly bar: number;
  /** Of the list: the first pixel in view. The same as `bar`, unless the list is too high. */
  readonly list: number;
}

export const TOP: Position = { bar: 0, list: 0 };

/** The height of the element that stands for a list. */
export function heightOf({ total }: Pick<Extent, 'total'>): number {
  return Math.min(total, MAX_PX);
}

/**
 * The position after the bar moved. A move within about a view, by wheel or key, moves the list by as
 * many pixels; a longer one, by the bar itself or to an end, goes to the same share of the list. If `bar` of
 * the result is another one than given, the bar must be moved there.
 */
export function scrolled(from: Position, bar: number, extent: Extent): Position {
  if (extent.total <= MAX_PX) return { bar, list: bar };
  const moved = bar - from.bar;
  if (Math.abs(moved) > extent.view) return { bar, list: listAt(bar, extent) };
  return settled({ bar, list: from.list + moved }, extent);
}

/** Moves the bar to its place if it is far from it, or near an end at which the list is not. */
export function settled({ bar, list }: Position, extent: Extent): Position {
  if (extent.total <= MAX_PX) return { bar, list: bar };
  const place = barAt(list, extent);
  const edge = EDGE_VIEWS * extent.view;
  const isAtEdge = bar < edge || bar > MAX_PX - extent.view - edge;
  const mayDrift = !isAtEdge && Math.abs(place - bar) <= DRIFT_PX;
  return { bar: mayDrift ? bar : place, list };
}

/** The place of the bar for a place of the list: one to one at both ends, in proportion between them. */
function barAt(list: number, { total, view }: Extent): number {
  if (list <= END_PX) return list;
  const left = total - view - list;
  const most = MAX_PX - view;
  if (left <= END_PX) return most - left;
  const share = (list - END_PX) / (total - view - 2 * END_PX);
  return Math.round(END_PX + share * (most - 2 * END_PX));
}

/** The inverse of `barAt`. */
function listAt(bar: number, { total, view }: Extent): number {
  if (bar <= END_PX) return bar;
  const left = MAX_PX - view - bar;
  if (left <= END_PX) return total - view - left;
  const share = (bar - END_PX) / (MAX_PX - view - 2 * END_PX);
  return Math.round(END_PX + share * (total - view - 2 * END_PX));
}
