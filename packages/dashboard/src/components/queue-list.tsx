import type { FinancialEvent } from '@decision-ledger/client/api/financial-event';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './queue-list.module.css';
import { Moment, Money } from './values.tsx';

interface QueueListProps<Item> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly current: number;
  readonly eventOf: (item: Item) => FinancialEvent;
  /** Whether somebody has answered it. */
  readonly isDone?: (item: Item) => boolean;
  /** What is known of it at a glance. */
  readonly note: (item: Item) => ReactNode;
  readonly onChoose: (index: number) => void;
  /** The row at this index came into view. */
  readonly onReach: (index: number) => void;
}

const ROW_PX = 62;

/** The events of a queue, in the order of the API. */
export function QueueList<Item>(props: QueueListProps<Item>) {
  const { label, items, current, eventOf, isDone, note, onChoose, onReach } = props;
  const box = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 6,
    onChange: ({ range }) => onReach(range?.endIndex ?? 0),
  });
  useEffect(() => virtualizer.scrollToIndex(current), [virtualizer, current]);
  return (
    <nav ref={box} className={classes.box} aria-label={label}>
      <ol className={classes.list} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const item = items[index];
          return (
            item !== undefined && (
              <li
                key={eventOf(item).id}
                className={classes.item}
                style={{ transform: `translateY(${start}px)` }}
              >
                <button
                  type="button"
                  className={classes.row}
                  aria-current={index === current}
                  onClick={() => onChoose(index)}
                >
                  <Row event={eventOf(item)} isDone={isDone?.(item) ?? false}>
                    {note(item)}
                  </Row>
                </button>
              </li>
            )
          );
        })}
      </ol>
    </nav>
  );
}

interface RowProps {
  readonly event: FinancialEvent;
  readonly isDone: boolean;
  readonly children: ReactNode;
}

function Row({ event, isDone, children }: RowProps) {
  return (
    <>
      <span className={classes.line} data-done={isDone}>
        <span className={classes.type}>{event.event_type}</span>
        <Money amount={event.amount} currency={event.currency} />
      </span>
      <span className={classes.more}>
        <Moment time={event.timestamp} />
        {children}
      </span>
    </>
  );
}
