import { Page } from '../../components/page.tsx';

export function ActivityPage() {
  return <Page title="Activity" />;
}
