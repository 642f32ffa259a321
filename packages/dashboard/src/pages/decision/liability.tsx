import type { Liability } from '@decision-ledger/client/api/liability';
import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLedger } from '../../app/session/context.tsx';
import { Interval } from '../../charts/interval.tsx';
import { ErrorPanel, LinesSkeleton } from '../../components/load-states.tsx';
import { type CsvTable, loadWith, ShortTable } from '../../components/rows.tsx';
import { Facts, Moment, Money } from '../../components/values.tsx';
import { formatCount, formatFactor, formatMoney, formatShare } from '../../format/numbers.ts';
import classes from './liability.module.css';

type Parts = Liability['parts'];

const BASES: Readonly<Record<Parts['amount_basis'], string>> = {
  approved: 'stated by the decision',
  claimed: 'what was asked for',
  denied: 'the decision was denied or failed',
  read: 'the step looks up, asks or advises',
  linked: 'from the linked events',
  median: 'median of the action type',
  matrix: 'from the risk matrix',
};

/** The estimate, and the parts that it is the product of. */
export function LiabilityParts({ liability }: { liability: Liability }) {
  const { expected, expected_low, expected_high, currency, parts } = liability;
  const low = formatMoney(expected_low, currency);
  const high = formatMoney(expected_high, currency);
  return (
    <>
      <div className={classes.figure}>
        <div className={classes.expected}>
          <Money amount={expected} currency={currency} />
        </div>
        <Text c="dimmed" size="sm">
          Expected cost; 9 in 10: {low} to {high}
        </Text>
        <Interval
          {...{ low: expected_low, expected, high: expected_high }}
          label={`Between ${low} and ${high}, expected ${formatMoney(expected, currency)}`}
        />
      </div>
      <Probability parts={parts} />
      <Cost liability={liability} />
      <Text c="dimmed" size="xs" mt="md">
        Model {liability.version}, snapshot {formatCount(liability.snapshot)}, estimated{' '}
        <Moment time={liability.estimated_at} />
      </Text>
    </>
  );
}

/** The probability of a loss, as the base rate times what raises or lowers its odds. */
function Probability({ parts }: { parts: Parts }) {
  const basis = { prior: 'benchmark', experience: 'own experience' };
  const factors = [
    ['Agent', parts.agent_factor],
    ['Version of the agent', parts.version_factor],
    ['Confidence', parts.confidence_factor],
    ['Human in the loop', parts.human_factor],
    ['Amount', parts.amount_factor],
  ] as const;
  return (
    <ol className={classes.steps} aria-label="Probability of a loss">
      <Step
        name={`Base rate${parts.rate_basis === null ? '' : ` (${basis[parts.rate_basis]})`}`}
        value={formatShare(parts.base_rate, 2)}
        share={parts.base_rate}
      />
      {factors.map(
        ([name, factor]) =>
          factor !== null && <Step key={name} name={name} value={`× ${formatFactor(factor)}`} />,
      )}
      <Step
        name="Probability of a loss"
        value={formatShare(parts.loss_probability, 2)}
        share={parts.loss_probability}
        isTotal
      />
    </ol>
  );
}

interface StepProps {
  readonly name: string;
  readonly value: string;
  /** From 0 to 1, drawn as a bar. */
  readonly share?: number;
  readonly isTotal?: boolean;
}

function Step({ name, value, share, isTotal = false }: StepProps) {
  return (
    <li className={classes.step} data-total={isTotal}>
      <span>{name}</span>
      <span className={classes.track}>
        {share !== undefined && (
          <span className={classes.bar} style={{ width: `${Math.max(0.5, share * 100)}%` }} />
        )}
      </span>
      <span className={classes.value}>{value}</span>
    </li>
  );
}

function Cost({ liability }: { liability: Liability }) {
  const { currency, parts, loss_if_any_p50, loss_if_any_p95 } = liability;
  const money = (amount: string) => <Money amount={amount} currency={currency} />;
  return (
    <Facts
      facts={[
        [`Amount at risk (${BASES[parts.amount_basis]})`, money(parts.amount_at_risk)],
        ...(parts.outlier
          ? ([['Outlier', 'the stated amount is beyond ten times the largest before']] as const)
          : []),
        ['Share that a loss takes', formatShare(parts.severity, 1)],
        ['Cost of handling a loss', money(parts.response_cost)],
        ['Time left to lose it', formatShare(parts.open_share, 0)],
        ['May still be lost', money(liability.open)],
        [
          'Lost already',
          <Money key="realised" amount={parts.realised} currency={parts.realised_currency} />,
        ],
        ...(loss_if_any_p50 === null
          ? []
          : ([['A loss, if any: median', money(loss_if_any_p50)]] as const)),
        ...(loss_if_any_p95 === null
          ? []
          : ([['A loss, if any: 19 in 20 below', money(loss_if_any_p95)]] as const)),
      ]}
    />
  );
}

const SHOWN = 20;

const CSV: CsvTable<Liability> = {
  name: 'estimates',
  columns: {
    revision: ({ revision }) => revision,
    estimated_at: ({ estimated_at }) => estimated_at,
    expected: ({ expected }) => ({ decimal: expected }),
    expected_low: ({ expected_low }) => ({ decimal: expected_low }),
    expected_high: ({ expected_high }) => ({ decimal: expected_high }),
    open: ({ open }) => ({ decimal: open }),
    currency: ({ currency }) => currency,
    loss_probability: ({ parts }) => parts.loss_probability,
    amount_at_risk: ({ parts }) => ({ decimal: parts.amount_at_risk }),
    realised: ({ parts }) => ({ decimal: parts.realised }),
    realised_currency: ({ parts }) => parts.realised_currency,
    version: ({ version }) => version,
    snapshot: ({ snapshot }) => snapshot,
  },
};

/** How the estimate changed, newest first. */
export function History({ id }: { id: string }) {
  const ledger = useLedger();
  const { data, error, refetch } = useQuery({
    queryKey: ['decision', id, 'estimates'],
    queryFn: ({ signal }) => ledger.decisions.estimates(id, { limit: SHOWN }, { signal }).page(),
  });
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LinesSkeleton lines={2} />;
  return (
    <>
      <ShortTable
        label="History of the estimate"
        minWidth={520}
        csv={CSV}
        rows={loadWith(
          (wanted, options) => ledger.decisions.estimates(id, wanted, options),
          ({ estimates }) => estimates,
        )}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Estimated</Table.Th>
            <Table.Th ta="end">Expected cost</Table.Th>
            <Table.Th ta="end">Probability of a loss</Table.Th>
            <Table.Th ta="end">Realised</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.estimates.map(({ revision, estimated_at, expected, currency, parts }) => (
            <Table.Tr key={revision}>
              <Table.Td>
                <Moment time={estimated_at} />
              </Table.Td>
              <Table.Td ta="end">
                <Money amount={expected} currency={currency} />
              </Table.Td>
              <Table.Td ta="end">{formatShare(parts.loss_probability, 2)}</Table.Td>
              <Table.Td ta="end">
                <Money amount={parts.realised} currency={parts.realised_currency} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ShortTable>
      {data.next_cursor !== null && (
        <Text c="dimmed" size="sm" mt="xs">
          The newest {formatCount(SHOWN)} estimates are shown.
        </Text>
      )}
    </>
  );
}
