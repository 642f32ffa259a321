import { PageGate } from '../../components/gate.tsx';
import { Section } from '../../components/page.tsx';
import { Accounting } from './accounting.tsx';
import type { TabProps } from './search.ts';
import { Stripe } from './stripe.tsx';

/** The systems that money comes from. */
export function Connections(_props: TabProps) {
  return (
    <PageGate permission="admin">
      <Section title="Accounting">
        <Accounting />
      </Section>
      <Section title="Stripe">
        <Stripe />
      </Section>
    </PageGate>
  );
}
