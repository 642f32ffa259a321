import { Page } from '../../components/page.tsx';

export function EvidencePage() {
  return <Page title="Evidence" />;
}
