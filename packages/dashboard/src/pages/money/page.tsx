import { Page } from '../../components/page.tsx';

export function MoneyPage() {
  return <Page title="Money" />;
}
