import type { LiabilitySettings } from '@decision-ledger/client/api/settings-forms';
import { NativeSelect, Table, Text } from '@mantine/core';
import { choiceOf } from '../../../app/search-params.ts';
import { formatMoney, formatShare } from '../../../format/numbers.ts';
import { type Cell, LIKELIHOODS, type MatrixDraft, SEVERITIES, withCell } from './matrix.ts';

interface CellTableProps {
  readonly draft: MatrixDraft;
  /** Action types. */
  readonly names: readonly string[];
  readonly currency: string;
  readonly benchmarks: LiabilitySettings['benchmarks'];
  readonly onChange: (draft: MatrixDraft) => void;
}

const OTHERS = { value: '', label: 'As all others' };

export function CellTable({ draft, names, currency, benchmarks, onChange }: CellTableProps) {
  return (
    <Table.ScrollContainer minWidth={620}>
      <Table aria-label="Risk matrix by action type">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Action type</Table.Th>
            <Table.Th>Likelihood of a loss</Table.Th>
            <Table.Th>Severity</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {names.map((name) => (
            <Table.Tr key={name}>
              <Table.Td>
                {name}
                {benchmarks[name] !== undefined && (
                  <Text size="xs" c="dimmed">
                    The benchmark of {formatShare(benchmarks[name].loss_rate, 2)} replaces the
                    likelihood.
                  </Text>
                )}
              </Table.Td>
              <Selects
                {...{ name, draft, currency, cell: draft.cells.get(name) ?? null, hasOthers: true }}
                onChange={(cell) => onChange(withCell(draft, name, cell))}
              />
            </Table.Tr>
          ))}
          <Table.Tr>
            <Table.Td fw={500}>All others</Table.Td>
            <Selects
              {...{ name: 'All others', draft, currency, cell: draft.others, hasOthers: false }}
              onChange={(cell) => onChange({ ...draft, others: cell ?? draft.others })}
            />
          </Table.Tr>
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface SelectsProps {
  readonly name: string;
  readonly draft: MatrixDraft;
  readonly currency: string;
  /** Null: that of all others. */
  readonly cell: Cell | null;
  readonly hasOthers: boolean;
  readonly onChange: (cell: Cell | null) => void;
}

function Selects({ name, draft, currency, cell, hasOthers, onChange }: SelectsProps) {
  const first = hasOthers ? [OTHERS] : [];
  const levels = {
    likelihood: LIKELIHOODS.map(({ level, label }) => ({
      ...{ value: level, label: `${label} (${formatShare(draft.likelihoods[level], 2)})` },
    })),
    severity: SEVERITIES.map(({ level, label }) => ({
      ...{ value: level, label: `${label} (${formatMoney(draft.severities[level], currency)})` },
    })),
  };
  const base = cell ?? draft.others;
  return (
    <>
      <Table.Td>
        <NativeSelect
          size="xs"
          aria-label={`Likelihood of ${name}`}
          data={[...first, ...levels.likelihood]}
          value={cell?.likelihood ?? ''}
          onChange={({ currentTarget: { value } }) => {
            const found = choiceOf(
              { value },
              'value',
              LIKELIHOODS.map(({ level }) => level),
            );
            onChange(found === undefined ? null : { ...base, likelihood: found });
          }}
        />
      </Table.Td>
      <Table.Td>
        <NativeSelect
          size="xs"
          aria-label={`Severity of ${name}`}
          data={[...first, ...levels.severity]}
          value={cell?.severity ?? ''}
          onChange={({ currentTarget: { value } }) => {
            const found = choiceOf(
              { value },
              'value',
              SEVERITIES.map(({ level }) => level),
            );
            onChange(found === undefined ? null : { ...base, severity: found });
          }}
        />
      </Table.Td>
    </>
  );
}
