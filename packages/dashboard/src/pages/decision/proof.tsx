import type { DecisionInDetail } from '@decision-ledger/client/api/decision-view';
import { Box, Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLedger } from '../../app/session/context.tsx';
import { saveText } from '../../components/download.tsx';
import { ErrorPanel, LinesSkeleton } from '../../components/load-states.tsx';
import { Gate } from '../../components/page.tsx';
import { type Field, FieldChoice, fieldsOf } from './fields.tsx';

const PENDING =
  'No checkpoint covers this decision yet. The service signs one within minutes: try again then.';

/** The proof that a decision is in the log, and a presentation of it with chosen fields. */
export function Proof({ decision }: { decision: DecisionInDetail }) {
  const ledger = useLedger();
  const id = decision.decision_id;
  const { data, error, refetch } = useQuery({
    queryKey: ['decision', id, 'proof'],
    queryFn: ({ signal }) => ledger.transparency.proof(id, { signal }),
  });
  const text = data?.tlog_proof ?? null;
  return (
    <>
      {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <LinesSkeleton lines={2} />}
      {data !== undefined && text === null && (
        <Group>
          <Text c="dimmed">{PENDING}</Text>
          <Button size="compact-sm" variant="default" onClick={() => void refetch()}>
            Try again
          </Button>
        </Group>
      )}
      {text !== null && (
        <>
          <Text size="sm" maw={720} mb="xs">
            A signed checkpoint covers this decision. The proof shows that to anybody who has the
            key of the log, without any field of the payload. Basis: the key of the log; with a
            checkpoint that was kept outside, also that nothing was left out.
          </Text>
          <Button
            size="compact-sm"
            variant="light"
            onClick={() => saveText(`${id}.tlog-proof`, text)}
            data-screen-only
          >
            Save proof
          </Button>
          <Gate permission="export">
            <Present decision={decision} />
          </Gate>
        </>
      )}
    </>
  );
}

function Present({ decision }: { decision: DecisionInDetail }) {
  const ledger = useLedger();
  const id = decision.decision_id;
  const [fields, setFields] = useState<readonly Field[]>([]);
  const presenting = useMutation({
    mutationFn: () => ledger.transparency.present(id, { fields: [...fields] }),
    onSuccess: ({ presentation }) => {
      if (presentation !== null) saveText(`${id}.dlp.json`, presentation);
    },
  });
  return (
    <Box mt="md" data-screen-only>
      <FieldChoice
        label="Presentation for a court, an auditor or the person concerned"
        description="One file with the decision, the chosen fields and their proof. The activity chain records that it was made."
        offered={fieldsOf(decision)}
        chosen={fields}
        onChange={setFields}
      />
      <Button
        mt="sm"
        size="compact-sm"
        variant="light"
        loading={presenting.isPending}
        onClick={() => presenting.mutate()}
      >
        Save presentation
      </Button>
      {presenting.data?.presentation === null && <Text c="dimmed">{PENDING}</Text>}
      {presenting.error !== null && <ErrorPanel error={presenting.error} />}
    </Box>
  );
}
