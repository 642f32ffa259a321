import { getRouteApi, Link } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { SECTIONS, type SectionName } from '../../app/search-params.ts';
import { useMe } from '../../app/session/context.tsx';
import { LinesSkeleton } from '../../components/load-states.tsx';
import { Page } from '../../components/page.tsx';
import { StripeEndpoint, StripeSecrets } from '../../components/stripe.tsx';
import { Attribution } from './attribution.tsx';
import { Currencies } from './currencies.tsx';
import { FailedJobs } from './failed-jobs.tsx';
import { Keys } from './keys/keys.tsx';
import { Outcomes } from './outcomes.tsx';
import { Recording } from './recording.tsx';
import { Sessions } from './sessions.tsx';
import classes from './settings.module.css';
import { Spans } from './spans/spans.tsx';
import { WithSettings } from './tagged-settings.tsx';
import { Thresholds } from './thresholds.tsx';

const route = getRouteApi('/shell/settings');

interface SectionOfPage {
  readonly label: string;
  /** Whether everybody may see it; otherwise it needs the permission admin. */
  readonly isForAll?: true;
  readonly content: ComponentType;
}

const CONTENTS: Readonly<Record<SectionName, SectionOfPage>> = {
  attribution: { label: 'Attribution', content: Attribution },
  thresholds: { label: 'Thresholds and alerts', content: Thresholds },
  currencies: { label: 'Currencies', content: Currencies },
  recording: { label: 'Recording', content: Recording },
  outcomes: { label: 'Outcomes', content: Outcomes },
  spans: { label: 'Spans', content: Spans },
  keys: { label: 'Keys', content: Keys },
  sessions: { label: 'Sessions', content: Sessions, isForAll: true },
  webhooks: { label: 'Webhooks', content: Webhooks },
  'failed-jobs': { label: 'Dead letters', content: FailedJobs },
};

export function SettingsPage() {
  const permissions = useMe()?.permissions;
  return (
    <Page title="Settings">
      {permissions === undefined ? (
        <LinesSkeleton />
      ) : (
        <Sections isAdmin={permissions.includes('admin')} />
      )}
    </Page>
  );
}

function Sections({ isAdmin }: { isAdmin: boolean }) {
  const { section } = route.useSearch();
  const offered = SECTIONS.filter((name) => isAdmin || CONTENTS[name].isForAll === true);
  const name = offered.find((one) => one === section) ?? offered[0];
  if (name === undefined) return null;
  const { content: Content, label } = CONTENTS[name];
  return (
    <>
      <nav aria-label="Sections" className={classes.sections} data-screen-only>
        {offered.map((one) => (
          <Link
            key={one}
            to="/settings"
            search={{ section: one }}
            className={classes.section}
            aria-current={one === name ? 'true' : undefined}
            data-active={one === name}
          >
            {CONTENTS[one].label}
          </Link>
        ))}
      </nav>
      <section aria-label={label} className={classes.content}>
        <Content />
      </section>
    </>
  );
}

/** The endpoint that Stripe calls, and the secrets that its calls are signed with. */
function Webhooks() {
  return (
    <WithSettings>
      {({ settings: { stripe }, tag }) => (
        <div className={classes.form}>
          <h2>Stripe</h2>
          <StripeEndpoint />
          <StripeSecrets secrets={stripe.signing_secrets} tag={tag} />
        </div>
      )}
    </WithSettings>
  );
}
