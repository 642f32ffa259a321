import { useCan } from '../../app/session/context.ts';
import { Gate, PageGate } from '../../components/gate.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Erasures } from './erasures.tsx';
import { Exports } from './exports.tsx';
import { Logs } from './logs.tsx';
import { OfflineCheck } from './offline-check.tsx';
import { SigningKeys } from './signing-keys.tsx';
import { Verification } from './verification.tsx';

export function EvidencePage() {
  const canExport = useCan('export');
  return (
    <Page
      title="Evidence"
      description="Proof of what was recorded, even for people who do not trust you"
    >
      <Gate permission="read">
        <Verification />
        <Logs />
      </Gate>
      {canExport ? <Exports /> : <PageGate permission="read">{null}</PageGate>}
      <Gate permission="read">
        <SigningKeys />
        <OfflineCheck />
        <Section title="Erasures">
          <Erasures />
        </Section>
      </Gate>
    </Page>
  );
}
