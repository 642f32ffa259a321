import type { SpanGroup } from '@decision-ledger/client/api/operations';
import { Button, Code, Table, Text } from '@mantine/core';
import { type CsvTable, ShortTable } from '../../../components/rows.tsx';
import { Moment } from '../../../components/values.tsx';
import { formatCount, formatQuantity } from '../../../format/numbers.ts';
import classes from '../settings.module.css';
import { REASONS, RESULT_NAMES, SIGNAL_NAMES } from './words.ts';

const CSV: CsvTable<SpanGroup> = {
  name: 'spans',
  columns: {
    signal: ({ signal }) => signal,
    scope: ({ scope }) => scope,
    scope_version: ({ scope_version }) => scope_version,
    taken_by: ({ taken_by }) => taken_by,
    result: ({ result }) => result,
    reason: ({ reason }) => reason,
    count: ({ count }) => count,
    first_at: ({ first_at }) => first_at,
    last_at: ({ last_at }) => last_at,
    attributes: ({ attributes }) =>
      attributes.map(({ name, type }) => `${name} ${type}`).join('\n'),
  },
};

interface GroupTableProps {
  readonly groups: readonly SpanGroup[];
  /** Called with the group that becomes a rule. */
  readonly onRule: (group: SpanGroup) => void;
}

/** What arrived, by scope and result. */
export function GroupTable({ groups, onRule }: GroupTableProps) {
  return (
    <ShortTable label="Spans of the last day" minWidth={860} csv={CSV} rows={groups}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Scope</Table.Th>
          <Table.Th>Result</Table.Th>
          <Table.Th>Preset or rule</Table.Th>
          <Table.Th ta="end">Count</Table.Th>
          <Table.Th>First and last</Table.Th>
          <Table.Th>Attributes</Table.Th>
          <Table.Th data-screen-only />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {groups.map((group) => (
          <Row key={keyOf(group)} group={group} onRule={onRule} />
        ))}
      </Table.Tbody>
    </ShortTable>
  );
}

const keyOf = ({ signal, scope, scope_version, taken_by, result, reason }: SpanGroup) =>
  JSON.stringify([signal, scope, scope_version, taken_by, result, reason]);

interface RowProps extends Pick<GroupTableProps, 'onRule'> {
  readonly group: SpanGroup;
}

function Row({ group, onRule }: RowProps) {
  const { taken_by, result, reason, count, first_at, last_at, attributes } = group;
  const name = nameOf(group);
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <bdi>{name}</bdi>
        {group.scope_version !== null && group.scope_version !== '' && (
          <Text size="xs" c="dimmed">
            <bdi>{group.scope_version}</bdi>
          </Text>
        )}
      </Table.Td>
      <Table.Td maw={220}>
        {RESULT_NAMES[result]}
        {reason !== null && (
          <Text size="xs" c="dimmed">
            {REASONS[reason]}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{taken_by ?? '–'}</Table.Td>
      <Table.Td ta="end">{formatCount(count)}</Table.Td>
      <Table.Td>
        <Moment time={first_at} />
        <br />
        <Moment time={last_at} />
      </Table.Td>
      <Table.Td>
        <Attributes attributes={attributes} />
      </Table.Td>
      <Table.Td data-screen-only ta="end">
        {reason === 'no_rule' && group.scope !== null && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Make this a rule: ${name}`}
            onClick={() => onRule(group)}
          >
            Make this a rule
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function nameOf({ signal, scope, reason }: SpanGroup): string {
  if (scope !== null) return scope === '' ? 'No scope' : scope;
  return signal === 'traces' && reason !== 'no_mapping' ? 'Other scopes' : SIGNAL_NAMES[signal];
}

function Attributes({ attributes }: Pick<SpanGroup, 'attributes'>) {
  if (attributes.length === 0) return '–';
  return (
    <details>
      <summary>{formatQuantity(attributes.length, 'attribute')}</summary>
      <ul className={classes.names}>
        {attributes.map(({ name, type }) => (
          <li key={`${name} ${type}`}>
            <Code fz="xs">
              <bdi>{name}</bdi>
            </Code>{' '}
            <Text span size="xs" c="dimmed">
              {type}
            </Text>
          </li>
        ))}
      </ul>
    </details>
  );
}
