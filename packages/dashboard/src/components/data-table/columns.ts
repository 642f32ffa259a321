import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useMemo } from 'react';

/** A column of a table. The first one has the link that the whole row follows (`rowLink`). */
export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  /** A track of a CSS grid, such as `minmax(8rem, 2fr)`. */
  readonly width: string;
  readonly align?: 'end';
  /** The smallest screen that shows it; default: every screen. */
  readonly from?: 'tablet' | 'desktop';
  readonly cell: (row: Row) => ReactNode;
}

const NOW = { getInitialValueInEffect: false };

export function useShownColumns<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  const isTablet = useMediaQuery('(min-width: 48em), print', true, NOW);
  const isDesktop = useMediaQuery('(min-width: 75em), print', true, NOW);
  return useMemo(() => {
    const fits = { tablet: isTablet, desktop: isDesktop };
    return columns.filter(({ from }) => from === undefined || fits[from]);
  }, [columns, isTablet, isDesktop]);
}
