import { type DateStyle, formatDate } from '../format/dates.ts';

interface MomentProps {
  /** RFC 3339. */
  readonly time: string;
  readonly style?: DateStyle;
}

/** A time in the reader's locale and time zone; the exact one in UTC is its tooltip. */
export function Moment({ time, style = 'moment' }: MomentProps) {
  return (
    <time dateTime={time} title={time}>
      {formatDate(time, style)}
    </time>
  );
}
