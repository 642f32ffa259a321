import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type Extent, heightOf, type Position, scrolled, settled, TOP } from './scroll-scale.ts';

interface WindowOptions {
  readonly body: RefObject<HTMLElement | null>;
  readonly count: number;
  readonly rowPx: number;
  /** Rows that are drawn above and below those in view. */
  readonly overscan: number;
}

export interface RowWindow {
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
    onScroll();
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
