import type { Link as MoneyLink } from '@decision-ledger/client/api/link';
import { Alert, Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { formatQuantity } from '../../format/numbers.ts';
import { Icon } from '../icon.tsx';
import { useLinksOf } from './links-of-movement.ts';

interface PartingProps {
  /** The events that would be parted, by a dry run. At least one. */
  readonly parted: readonly string[];
  /** What would part them, such as `Confirming`. */
  readonly act: string;
  /** How the money is shared instead. */
  readonly alternative: (held: MoneyLink) => ReactNode;
}

/** Says before a link is made or confirmed that rules then part events of the same money, so that all of it counts twice. */
export function Parting({ parted, act, alternative }: PartingProps) {
  const { data: links = [] } = useLinksOf(parted);
  const held = links.filter(({ status }) => status === 'CONFIRMED' || status === 'ML_INFERRED');
  const [first] = held;
  const decisions = [...new Set(held.map(({ decision_id }) => decision_id))];
  return (
    <Alert
      color="orange"
      variant="light"
      my="xs"
      icon={<Icon name="warning" />}
      title="This money would count twice"
    >
      It is already linked to{' '}
      {decisions.map((id, at) => (
        <Fragment key={id}>
          {at > 0 && ', '}
          <Anchor
            underline="always"
            c="inherit"
            renderRoot={(props) => (
              <Link to="/decisions/$decisionId" params={{ decisionId: id }} {...props} />
            )}
          >
            {id}
          </Anchor>
        </Fragment>
      ))}
      {decisions.length === 0 && 'another decision'}. {act} parts{' '}
      {formatQuantity(parted.length, 'event')} of the same money from this one, and both count.{' '}
      {first !== undefined && alternative(first)}
    </Alert>
  );
}
