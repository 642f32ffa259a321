import { StripeEndpoint } from '../../components/stripe/endpoint.tsx';
import { StripeSecrets } from '../../components/stripe/secrets.tsx';
import classes from './settings.module.css';
import { WithSettings } from './with-settings.tsx';

/** The endpoint that Stripe calls, and the secrets that its calls are signed with. */
export function Webhooks() {
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
