import type { ReactNode } from 'react';
import { type Permission, useCan, useMeQuery } from '../app/session/context.ts';
import { EmptyState } from './empty-state.tsx';
import { ErrorPanel } from './error-panel.tsx';
import { LinesSkeleton } from './page-skeleton.tsx';

interface GateProps {
  readonly permission: Permission;
  readonly children: ReactNode;
}

/** Shows its content to those who have the permission: nobody is offered what would be refused. */
export function Gate({ permission, children }: GateProps) {
  return useCan(permission) ? children : null;
}

/** Around the content of a page that nobody can use without the permission. */
export function PageGate({ permission, children }: GateProps) {
  const { data: me, error, refetch } = useMeQuery();
  if (me === undefined && error !== null) {
    return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  }
  if (me === undefined) return <LinesSkeleton />;
  if (me.permissions.includes(permission)) return children;
  return (
    <EmptyState title="Your key does not allow this">
      This page needs a key with the permission {permission}. Yours has {me.permissions.join(', ')}.
    </EmptyState>
  );
}
