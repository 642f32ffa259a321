import { Button, Progress, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLedger } from '../../app/session/context.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Section } from '../../components/page.tsx';
import { LinesSkeleton } from '../../components/page-skeleton.tsx';
import { formatCount } from '../../format/numbers.ts';
import { ChainSeal } from './chain-seal.tsx';
import classes from './evidence.module.css';
import { FindingAlert } from './finding-alert.tsx';
import { TablesReport } from './tables-report.tsx';

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
