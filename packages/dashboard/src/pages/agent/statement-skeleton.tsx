import { Skeleton } from '@mantine/core';

/** Takes the place of the figures, of about their height. */
export function StatementSkeleton() {
  return (
    <div aria-busy="true" role="status" aria-label="Loading">
      <Skeleton height={58} mt={24} mb={24} />
      <Skeleton height={380} />
      <Skeleton height={420} mt={40} />
    </div>
  );
}
