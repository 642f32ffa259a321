import type { DecisionInDetail } from '@decision-ledger/client/api/decision-view';
import { Anchor, Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { CsvTable } from '../../components/download.tsx';
import { ShortTable } from '../../components/short-table.tsx';
import { Hash } from '../../components/values.tsx';
import { formatCount } from '../../format/numbers.ts';

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
