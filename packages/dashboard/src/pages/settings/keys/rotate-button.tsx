import type { Key } from '@decision-ledger/client/api/key';
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLedger, useMe } from '../../../app/session/context.ts';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import type { Fresh } from './fresh.ts';

interface RotateButtonProps {
  readonly target: Key;
  readonly onRotated: (fresh: Fresh) => void;
}

/** Issues a key with the same name and permissions. The former one stays until it is revoked. */
export function RotateButton({ target, onRotated }: RotateButtonProps) {
  const ledger = useLedger();
  const queries = useQueryClient();
  const held = useMe()?.permissions ?? [];
  const { name, permissions, expires_at } = target;
  const rotating = useMutation({
    mutationFn: () =>
      ledger.keys.issue({ name, permissions, ...(expires_at !== null && { expires_at }) }),
    gcTime: 0,
    onSuccess: async (issued) => {
      onRotated({ issued, replaced: target });
      window.scrollTo({ top: 0 });
      await queries.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  if (!permissions.every((permission) => held.includes(permission))) return null;
  return (
    <div>
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`Rotate ${name}`}
        loading={rotating.isPending}
        onClick={() => rotating.mutate()}
      >
        Rotate
      </Button>
      {rotating.error !== null && <ErrorPanel error={rotating.error} />}
    </div>
  );
}
