import type { Link as MoneyLink } from '@decision-ledger/client/api/link';
import { Anchor, Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useLedger } from '../../app/session/context.tsx';
import { ErrorPanel } from '../load-states.tsx';
import { Gate } from '../page.tsx';
import { DeleteLinkButton } from './link-buttons.tsx';
import { refreshLinks } from './links-of-movement.ts';

interface LinkActionProps {
  readonly link: MoneyLink;
  readonly onDeleted: (link: MoneyLink) => void;
}

/** Names the payment that a link was taken from. */
export function TakenFrom({ link: { status, inherited_from } }: { link: MoneyLink }) {
  if (status !== 'INHERITED' || inherited_from === undefined) return null;
  return (
    <Anchor
      renderRoot={(props) => <Link to="/money" search={{ event: inherited_from }} {...props} />}
    >
      from the payment
    </Anchor>
  );
}

/** Deletes a link. One that was taken from a payment would return: its decision is rejected. */
export function LinkAction({ link, onDeleted }: LinkActionProps) {
  return link.status === 'INHERITED' ? (
    <RejectButton link={link} />
  ) : (
    <DeleteLinkButton link={link} onDeleted={onDeleted} />
  );
}

function RejectButton({ link: { id, link_type } }: { link: MoneyLink }) {
  const ledger = useLedger();
  const queries = useQueryClient();
  const rejecting = useMutation({
    mutationFn: () => ledger.links.reject(id),
    onSuccess: async () => {
      notifications.show({ message: 'The decision is rejected as a cause of this event' });
      await refreshLinks(queries);
    },
  });
  return (
    <Gate permission="review">
      <Button
        variant="subtle"
        color="gray"
        size="compact-xs"
        data-screen-only
        aria-label={`Reject the ${link_type} link`}
        loading={rejecting.isPending}
        onClick={() => rejecting.mutate()}
      >
        Not the cause
      </Button>
      {rejecting.error !== null && <ErrorPanel error={rejecting.error} />}
    </Gate>
  );
}
