import { useRouter } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import classes from './data-table.module.css';

/** The class of the link in the first cell: a click anywhere in the row follows it. */
export const rowLink = classes.rowLink ?? '';

/**
 * The link of a row in a list that is scrolled fast. The router's own link follows the address of the page,
 * which costs more than all the rest of a row.
 * @param href a path of the dashboard
 */
export function RowLink({ href, children }: { href: string; children: ReactNode }) {
  const router = useRouter();
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void router.navigate({ href });
  };
  return (
    <a href={href} className={rowLink} onClick={follow}>
      {children}
    </a>
  );
}
