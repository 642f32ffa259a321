import type { LastVerification } from '@decision-ledger/client/api/chain';
import { Alert, Anchor, Button, Progress, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { now } from '../../app/clock.ts';
import { useLedger } from '../../app/session/context.tsx';
import { Icon } from '../../components/icon.tsx';
import { ErrorPanel, LinesSkeleton } from '../../components/load-states.tsx';
import { Section } from '../../components/page.tsx';
import { Hash, Moment } from '../../components/values.tsx';
import { formatAge } from '../../format/dates.ts';
import { formatCount } from '../../format/numbers.ts';
import classes from './evidence.module.css';
import { TablesReport } from './tables-report.tsx';
import { type Finding, recordOf, sentenceOf } from './verification-words.ts';

type ChainName = 'decisions' | 'activity';

/** A walk over millions of records takes minutes. */
const PATIENCE_MS = 30 * 60_000;

/** The last verification of both chains, and a new one on request. */
export function Verification() {
  const ledger = useLedger();
  const queries = useQueryClient();
  const [step, setStep] = useState<ChainName>('decisions');
  const last = useQuery({
    queryKey: ['verification'],
    queryFn: ({ signal }) => ledger.verification.last({ signal }),
  });
  const verifying = useMutation({
    mutationFn: async () => {
      const options = { timeoutMs: PATIENCE_MS };
      setStep('decisions');
      const decisions = await ledger.verification.decisions({}, options);
      setStep('activity');
      const activity = await ledger.verification.activity({}, options);
      return { decisions, activity };
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['verification'] }),
  });
  const { decisions, activity } = last.data ?? {};
  return (
    <Section
      title="Chains"
      actions={
        <Button size="xs" loading={verifying.isPending} onClick={() => verifying.mutate()}>
          Verify now
        </Button>
      }
    >
      {last.error !== null && <ErrorPanel error={last.error} onRetry={() => void last.refetch()} />}
      {last.isPending && <LinesSkeleton lines={4} />}
      {decisions !== undefined && activity !== undefined && (
        <div className={classes.chains}>
          <ChainSeal name="Decisions" last={decisions} />
          <ChainSeal name="Activity" last={activity} />
        </div>
      )}
      <div className={classes.progress} aria-live="polite">
        {verifying.isPending && (
          <>
            <Progress
              value={step === 'decisions' ? 50 : 90}
              animated
              aria-label="Progress of the verification"
            />
            <Text size="xs" c="dimmed" mt={4}>
              {stepText(step, (step === 'decisions' ? decisions : activity)?.records_checked)}
            </Text>
          </>
        )}
      </div>
      {verifying.error !== null && (
        <ErrorPanel error={verifying.error} onRetry={() => verifying.mutate()} />
      )}
      {verifying.data !== undefined && (
        <>
          <FindingAlert chain="decisions" finding={verifying.data.decisions.first_broken_link} />
          <FindingAlert chain="activity" finding={verifying.data.activity.first_broken_link} />
          {verifying.data.activity.reconciliation !== null && (
            <TablesReport found={verifying.data.activity.reconciliation} />
          )}
        </>
      )}
    </Section>
  );
}

function stepText(step: ChainName, known: number | undefined): string {
  const records = step === 'decisions' ? 'decisions' : 'changes';
  const count = known === undefined ? '' : ` At least ${formatCount(known)} ${records}.`;
  return step === 'decisions'
    ? `Step 1 of 2: recomputing the hash of every decision.${count}`
    : `Step 2 of 2: recomputing the hash of every change, and comparing the tables with them.${count}`;
}

interface ChainSealProps {
  readonly name: string;
  readonly last: LastVerification | null;
}

/** What the last verification of a chain found. */
function ChainSeal({ name, last }: ChainSealProps) {
  if (last === null) {
    return (
      <div className={classes.seal} data-state="unknown">
        <h3>{name}</h3>
        <p className={classes.verdict}>Not verified yet</p>
        <Text size="sm" c="dimmed">
          Verify it now: every hash is recomputed from the stored records.
        </Text>
      </div>
    );
  }
  const { is_valid, records_checked, erased_fields, head, verification_timestamp } = last;
  return (
    <div className={classes.seal} data-state={is_valid ? 'valid' : 'broken'}>
      <h3>{name}</h3>
      <p className={classes.verdict}>
        <Icon name={is_valid ? 'check' : 'warning'} />
        {is_valid ? `Intact to #${formatCount(head.seq)}` : 'Broken'}
      </p>
      <Text size="sm">
        {formatCount(records_checked)} valid records
        {erased_fields > 0 && `, ${formatCount(erased_fields)} erased fields on record`}
      </Text>
      <Text size="sm" c="dimmed">
        Checked {formatAge(verification_timestamp, now())}, <Moment time={verification_timestamp} />
      </Text>
      <Text size="xs" c="dimmed" mt={6}>
        Basis: the records alone. Only a checkpoint that someone else kept reveals a rewrite of all
        of them.
      </Text>
      <Text size="xs" c="dimmed" mt={6}>
        Hash of the head
      </Text>
      <Hash value={head.hash} label={`the hash of the head, ${name.toLowerCase()}`} />
    </div>
  );
}

interface FindingAlertProps {
  readonly chain: 'decisions' | 'activity';
  readonly finding: Finding | null;
}

/** The first record that does not fit, and what to do about it. */
function FindingAlert({ chain, finding }: FindingAlertProps) {
  if (finding === null) return null;
  const id = recordOf(finding);
  return (
    <Alert
      color="red"
      variant="light"
      icon={<Icon name="warning" />}
      title={
        chain === 'decisions' ? 'The decision chain is broken' : 'The activity chain is broken'
      }
      role="alert"
      mt="sm"
    >
      <Text size="sm">{sentenceOf(finding)}</Text>
      {finding.expected !== null && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          Expected {String(finding.expected)}, found {String(finding.actual ?? 'nothing')}.
        </Text>
      )}
      <Text size="sm" mt={6}>
        Keep the database as it is. Compare it with the last backup and with earlier exports, and
        find out who had access to it.
      </Text>
      {chain === 'decisions' && id !== null && (
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link to="/decisions/$decisionId" params={{ decisionId: id }} {...props} />
          )}
        >
          Open the decision
        </Anchor>
      )}
    </Alert>
  );
}
