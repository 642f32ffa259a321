import { PageGate } from '../../components/gate.tsx';
import { Page } from '../../components/page.tsx';

export function SettingsPage() {
  return (
    <Page title="Settings">
      <PageGate permission="admin">{null}</PageGate>
    </Page>
  );
}
