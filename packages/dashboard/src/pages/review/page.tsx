import { Page } from '../../components/page.tsx';

export function ReviewPage() {
  return <Page title="Review" />;
}
