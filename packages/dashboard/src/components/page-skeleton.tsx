import { Skeleton } from '@mantine/core';

const LINES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** Takes the place of a page while its code or its data are loaded. */
export function PageSkeleton() {
  return (
    <div aria-busy="true" role="status" aria-label="Loading">
      <Skeleton height={30} width={220} mb={24} />
      <LinesSkeleton />
    </div>
  );
}

/** Takes the place of a part of a page, of about its height. */
export function LinesSkeleton({ lines = LINES.length }: { lines?: number }) {
  return (
    <div aria-busy="true">
      {LINES.slice(0, lines).map((line) => (
        <Skeleton key={line} height={18} mb={14} />
      ))}
    </div>
  );
}
