import type { DecisionInDetail } from '@decision-ledger/client/api/decision';
import { Anchor, Box, Button, Group, Table, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useLedger } from '../../app/session/context.tsx';
import { ErrorPanel, LinesSkeleton } from '../../components/load-states.tsx';
import { Gate } from '../../components/page.tsx';
import { type CsvTable, ShortTable, saveText } from '../../components/rows.tsx';
import { Hash } from '../../components/values.tsx';
import { formatCount } from '../../format/numbers.ts';
import { type Field, FieldChoice, fieldsOf } from './fields.tsx';

type Neighbour = DecisionInDetail['previous'];

interface ChainLine {
  readonly record: 'previous' | 'this' | 'next';
  /** Null before the first decision. */
  readonly decision_id: string | null;
  readonly seq: number;
  readonly hash: string;
}

const CSV: CsvTable<ChainLine> = {
  name: 'position-in-chain',
  columns: {
    record: ({ record }) => record,
    decision_id: ({ decision_id }) => decision_id,
    seq: ({ seq }) => seq,
    hash: ({ hash }) => hash,
  },
};

function chainLinesOf(decision: DecisionInDetail): ChainLine[] {
  const { previous, next, decision_id, seq, hash, prev_hash } = decision;
  const before = previous?.decision_id ?? null;
  return [
    { record: 'previous', decision_id: before, seq: seq - 1, hash: prev_hash },
    { record: 'this', decision_id, seq, hash },
    ...(next === null ? [] : [{ record: 'next' as const, ...next }]),
  ];
}

/** The hash of the record between those of its neighbours. */
export function Chain({ decision }: { decision: DecisionInDetail }) {
  const { previous, next, seq, hash, prev_hash } = decision;
  return (
    <ShortTable
      label="Position in the chain"
      minWidth={640}
      csv={CSV}
      rows={chainLinesOf(decision)}
    >
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Record</Table.Th>
          <Table.Th ta="end">Position</Table.Th>
          <Table.Th>Hash</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        <Table.Tr>
          <Table.Td>
            {previous === null ? 'Start of the chain' : <Open to={previous} name="Before" />}
          </Table.Td>
          <Table.Td ta="end">{formatCount(seq - 1)}</Table.Td>
          <Table.Td>
            <Hash value={prev_hash} label="the hash of the record before" full />
          </Table.Td>
        </Table.Tr>
        <Table.Tr fw={600}>
          <Table.Td>This decision</Table.Td>
          <Table.Td ta="end">{formatCount(seq)}</Table.Td>
          <Table.Td>
            <Hash value={hash} label="the hash of this decision" full />
          </Table.Td>
        </Table.Tr>
        {next !== null && (
          <Table.Tr>
            <Table.Td>
              <Open to={next} name="After" />
            </Table.Td>
            <Table.Td ta="end">{formatCount(next.seq)}</Table.Td>
            <Table.Td>
              <Hash value={next.hash} label="the hash of the record after" full />
            </Table.Td>
          </Table.Tr>
        )}
      </Table.Tbody>
    </ShortTable>
  );
}

function Open({ to, name }: { to: NonNullable<Neighbour>; name: string }) {
  const params = { decisionId: to.decision_id };
  return (
    <Anchor renderRoot={(props) => <Link to="/decisions/$decisionId" params={params} {...props} />}>
      {name}
    </Anchor>
  );
}

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
