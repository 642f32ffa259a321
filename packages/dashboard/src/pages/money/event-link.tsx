import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { rowLink } from '../../components/data-table/data-table.tsx';

const route = getRouteApi('/shell/money');

/** Opens a financial event over the list, which stays as it is. */
export function EventLink({ id, children }: { id: string; children: ReactNode }) {
  const search = route.useSearch();
  return (
    <Link to="/money" search={{ ...search, event: id }} className={rowLink} resetScroll={false}>
      {children}
    </Link>
  );
}
