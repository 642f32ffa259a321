import type { DecisionInDetail } from '@decision-ledger/client/api/decision-view';
import { Anchor, Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Hash } from '../../components/hash.tsx';
import { formatCount } from '../../format/numbers.ts';

type Neighbour = DecisionInDetail['previous'];

/** The hash of the record between those of its neighbours. */
export function Chain({ decision }: { decision: DecisionInDetail }) {
  const { previous, next, seq, hash, prev_hash } = decision;
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table>
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
      </Table>
    </Table.ScrollContainer>
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
