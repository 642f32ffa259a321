import { EmptyState } from '../../components/empty-state.tsx';

export function NothingFound() {
  return (
    <EmptyState title="Nothing matches the filters">
      Remove a filter, or choose another range of days. Text filters match whole values.
    </EmptyState>
  );
}
