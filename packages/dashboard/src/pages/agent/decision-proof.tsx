import type { DecisionInDetail } from '@decision-ledger/client/api/decision-view';
import { Anchor, Code, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useLedger } from '../../app/session/context.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Hash } from '../../components/hash.tsx';
import { LinesSkeleton } from '../../components/page-skeleton.tsx';
import { formatCount } from '../../format/numbers.ts';
import classes from './rows.module.css';

/** The decision behind a row, read when it is opened. */
export function DecisionProof({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className={classes.proof}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>The decision</summary>
      {isOpen && <Loaded id={id} />}
    </details>
  );
}

function Loaded({ id }: { id: string }) {
  const ledger = useLedger();
  const { data, error, refetch } = useQuery({
    queryKey: ['decision', id],
    queryFn: ({ signal }) => ledger.decisions.get(id, { signal }),
  });
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LinesSkeleton lines={4} />;
  return <Proof decision={data} />;
}

function Proof({ decision }: { decision: DecisionInDetail }) {
  const { decision_id, action_type, seq, hash } = decision;
  return (
    <div className={classes.proofBody}>
      <Anchor
        renderRoot={(props) => (
          <Link to="/decisions/$decisionId" params={{ decisionId: decision_id }} {...props} />
        )}
      >
        {action_type}, position {formatCount(seq)}
      </Anchor>
      <Field name="Inputs" value={decision.inputs} />
      <Field name="Outputs" value={decision.outputs} />
      <div>
        <Text size="xs" c="dimmed">
          Hash
        </Text>
        <Hash value={hash} label="the hash" full />
      </div>
    </div>
  );
}

function Field({ name, value }: { name: string; value: unknown }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      {value === undefined ? (
        <Text size="sm">Erased, or not recorded.</Text>
      ) : (
        <Code block className={classes.payload} tabIndex={0}>
          {JSON.stringify(value, null, 2)}
        </Code>
      )}
    </div>
  );
}
