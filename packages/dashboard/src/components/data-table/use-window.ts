import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

interface WindowOptions {
  readonly body: RefObject<HTMLElement | null>;
  readonly count: number;
  readonly rowPx: number;
  /** Rows that are drawn above and below those in view. */
  readonly overscan: number;
}

interface RowWindow {
  /** Height of the element that holds the rows, in pixels. */
  readonly height: number;
  /** First and last row that may be in view before other rows are drawn. */
  readonly first: number;
  readonly last: number;
  /** The rows to draw, and how far each is from the top of the element. */
  readonly drawn: readonly { readonly index: number; readonly top: number }[];
}

/** Rows are drawn in blocks of so many, so that most movements of the page draw nothing. */
const BLOCK = 8;

/** The rows of a list that are in view, while the page scrolls. All rows have the same height. */
export function useWindow({ body, count, rowPx, overscan }: WindowOptions): RowWindow {
  const [seen, setSeen] = useState<Position>(TOP);
  const [view, setView] = useState(() => window.innerHeight);
  const position = useRef<Position>(TOP);
  const drawnAt = useRef<Position>(TOP);
  const extent: Extent = { total: count * rowPx, view };
  const current = useRef(extent);
  const show = useCallback(
    (next: Position) => {
      const element = body.current;
      if (element === null) return;
      const isMoved = next.bar !== barOf(element);
      position.current = next;
      if (!isDrawn(drawnAt.current, next, rowPx)) {
        drawnAt.current = next;
        // The rows and the bar move in one frame: neither may be drawn without the other.
        flushSync(() => setSeen(next));
      }
      if (isMoved) window.scrollTo({ top: next.bar + topOf(element), behavior: 'instant' });
    },
    [body, rowPx],
  );
  useLayoutEffect(() => {
    current.current = { total: count * rowPx, view };
  }, [count, rowPx, view]);
  useEffect(() => {
    const onScroll = () => {
      const element = body.current;
      if (element === null) return;
      show(scrolled(position.current, barOf(element), current.current));
    };
    const onResize = () => setView(window.innerHeight);
    // Outside of React's work, because it draws at once.
    queueMicrotask(onScroll);
    window.addEventListener('scroll', onScroll, { passive: true });
    window.addEventListener('resize', onResize);
    return () => {
      window.removeEventListener('scroll', onScroll);
      window.removeEventListener('resize', onResize);
    };
  }, [body, show]);
  useEffect(() => {
    const next = settled(position.current, { total: count * rowPx, view });
    // Outside of React's work, because it draws at once.
    if (next.bar !== position.current.bar) queueMicrotask(() => show(next));
  }, [count, rowPx, view, show]);
  return windowOf(seen, extent, { count, rowPx, overscan });
}

const blockOf = ({ list }: Position, rowPx: number) => Math.floor(list / rowPx / BLOCK);

/** Whether the rows that are drawn for one position are those of another, at the same places. */
function isDrawn(drawn: Position, next: Position, rowPx: number): boolean {
  const shift = next.list - next.bar - (drawn.list - drawn.bar);
  return Math.abs(shift) < 0.5 && blockOf(drawn, rowPx) === blockOf(next, rowPx);
}

function windowOf(
  seen: Position,
  { view, total }: Extent,
  { count, rowPx, overscan }: Omit<WindowOptions, 'body'>,
): RowWindow {
  const within = (index: number) => Math.max(0, Math.min(count - 1, index));
  const start = blockOf(seen, rowPx) * BLOCK;
  const end = start + BLOCK + Math.ceil(view / rowPx);
  const from = within(start - overscan);
  const until = count === 0 ? -1 : within(end + overscan);
  const drawn = Array.from({ length: until - from + 1 }, (_, at) => ({
    index: from + at,
    top: (from + at) * rowPx - (seen.list - seen.bar),
  }));
  return { height: heightOf({ total }), first: within(start), last: within(end), drawn };
}

/** Distance of the element from the top of the page. */
function topOf(element: HTMLElement): number {
  return element.getBoundingClientRect().top + window.scrollY;
}

function barOf(element: HTMLElement): number {
  return -element.getBoundingClientRect().top;
}

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
