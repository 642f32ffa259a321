import type { ActivityChainVerification } from '@decision-ledger/client/api/chain';
import { Table, Text } from '@mantine/core';
import { Icon } from '../../components/icon.tsx';
import { type CsvTable, ShortTable } from '../../components/rows.tsx';
import { formatCount, formatQuantity } from '../../format/numbers.ts';
import classes from './evidence.module.css';

type Reconciliation = NonNullable<ActivityChainVerification['reconciliation']>;
type Finding = Reconciliation['findings'][number];

const KINDS: Readonly<Record<Finding['kind'], string>> = {
  missing_row: 'The row is missing',
  unexpected_row: 'No record explains the row',
  changed_row: 'The row was changed',
  changed_sum: 'The figure does not match its rows',
};

/** Findings that are listed; the others are counted. */
const LISTED = 20;

/** Whether the tables of events, links, keys, settings and figures agree with the activity chain. */
export function TablesReport({ found }: { found: Reconciliation }) {
  const { is_reconciled, rows_checked, findings, findings_count } = found;
  return (
    <div
      className={classes.seal}
      data-state={is_reconciled ? 'valid' : 'broken'}
      role={is_reconciled ? 'status' : 'alert'}
    >
      <h3>Tables</h3>
      <p className={classes.verdict}>
        <Icon name={is_reconciled ? 'check' : 'warning'} />
        {is_reconciled ? 'Agree with the activity chain' : 'Differ from the activity chain'}
      </p>
      <Text size="sm">
        {formatQuantity(rows_checked, 'row')} compared
        {!is_reconciled && `, ${formatQuantity(findings_count, 'finding')}`}
      </Text>
      <Text size="sm">
        Basis: the activity chain, which was verified first. Every row of money, links, keys,
        settings and estimates is rebuilt from it and compared.
      </Text>
      <Left found={found} />
      {findings.length > 0 && <Findings findings={findings} />}
      {!is_reconciled && (
        <Text size="sm" mt={6}>
          Exports are refused until the tables agree. Find out who had access to the database, and
          restore the rows from a backup.
        </Text>
      )}
    </div>
  );
}

/** What was not compared, in words. */
function Left({ found }: { found: Reconciliation }) {
  const unproven = found.unproven.reduce((sum, { rows }) => sum + rows, 0);
  return (
    <>
      {unproven > 0 && (
        <Text size="sm">
          {formatCount(unproven)} values are unproven: no record states them yet.
        </Text>
      )}
      {found.skipped.map(({ table, rows, reason }) => (
        <Text key={`${table} ${reason}`} size="sm">
          {formatCount(rows)} rows of {table} were not compared: {reason}.
        </Text>
      ))}
    </>
  );
}

const CSV: CsvTable<Finding> = {
  name: 'findings',
  columns: {
    kind: ({ kind }) => kind,
    table: ({ table }) => table,
    key: ({ key }) => key,
    column: ({ column }) => column,
    expected: ({ expected }) => expected,
    actual: ({ actual }) => actual,
  },
};

function Findings({ findings }: { findings: readonly Finding[] }) {
  return (
    <ShortTable label="Findings in the tables" minWidth={560} csv={CSV} rows={findings}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Finding</Table.Th>
          <Table.Th>Row</Table.Th>
          <Table.Th>Expected</Table.Th>
          <Table.Th>Found</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {findings.slice(0, LISTED).map((finding) => (
          <Table.Tr key={`${finding.table} ${finding.key} ${finding.column}`}>
            <Table.Td>{KINDS[finding.kind]}</Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              {finding.table} {finding.key} {finding.column}
            </Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{finding.expected}</Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{finding.actual}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ShortTable>
  );
}
