import { Anchor } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { MoneySearch } from '../../app/search-params.ts';
import { Icon } from '../../components/icon.tsx';
import classes from './home.module.css';

interface LineProps {
  readonly to: NonNullable<LinkProps['to']>;
  /** Of the page Money. */
  readonly search?: MoneySearch;
  readonly label: string;
  readonly isUrgent?: boolean;
  readonly children: ReactNode;
}

/** Something that waits for a person, with the way to it. */
export function Line({ to, search, label, isUrgent = false, children }: LineProps) {
  return (
    <li className={classes.item} data-urgent={isUrgent}>
      <span className={classes.itemIcon}>
        <Icon name={isUrgent ? 'warning' : 'chevron'} />
      </span>
      <span className={classes.text}>{children}</span>
      <Anchor
        renderRoot={(props) => (
          <Link to={to} {...(search !== undefined && { search })} {...props} />
        )}
      >
        {label}
      </Anchor>
    </li>
  );
}
