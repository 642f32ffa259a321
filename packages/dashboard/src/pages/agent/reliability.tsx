import type { LiabilityBacktest } from '@decision-ledger/client/api/liability-model';
import { Table, Text } from '@mantine/core';
import { type CsvTable, ShortTable } from '../../components/rows.tsx';
import { Moment } from '../../components/values.tsx';
import { formatCount, formatFactor, formatShare } from '../../format/numbers.ts';
import classes from './reliability.module.css';

type Agent = LiabilityBacktest['agents'][number];

const SIZE = 240;
const EDGE = 36;

interface ReliabilityProps {
  readonly agent: Agent | undefined;
  /** When outcomes were last counted. */
  readonly learnedAt: string | null;
}

/** How often the agent was right, against how sure it said to be. */
export function Reliability({ agent, learnedAt }: ReliabilityProps) {
  if (agent === undefined) {
    return (
      <Text c="dimmed">
        The comparison begins when outcomes of this agent are known: after the loss maturity of the
        settings (90 days by default), or with its first loss. The nightly run updates it.
      </Text>
    );
  }
  const { decisions, losses, stated_losses, expected_losses, brier } = agent;
  return (
    <>
      <Text mb="md">
        {learnedAt === null ? 'Before the last nightly run' : <Moment time={learnedAt} />}: in{' '}
        {formatFactor(decisions)} resolved decisions, the stated confidence implies{' '}
        {formatFactor(stated_losses)} losses; the model expected {formatFactor(expected_losses)},
        and {formatFactor(losses)} had happened. Brier score {formatFactor(brier)} (0 is best).
      </Text>
      <Uncounted agent={agent} />
      <div className={classes.pair}>
        <Diagram agent={agent} />
        <Bins agent={agent} />
      </div>
    </>
  );
}

/** Losses that the statement has and the comparison has not. */
function Uncounted({ agent: { losses, confirmed_losses: confirmed } }: { agent: Agent }) {
  if (confirmed === losses) return null;
  return (
    <Text mb="md">
      Now, {formatCount(confirmed)} {confirmed === 1 ? 'decision has' : 'decisions have'} a
      confirmed loss. The next nightly run counts what was confirmed since the last one; losses of
      decisions that were denied are never compared with a confidence.
    </Text>
  );
}

/** Points below the diagonal: the agent is surer than it is right. */
function Diagram({ agent: { bins } }: { agent: Agent }) {
  const at = (share: number) => EDGE + share * (SIZE - 2 * EDGE);
  const up = (share: number) => SIZE - at(share);
  const most = Math.max(...bins.map(({ decisions }) => decisions));
  return (
    <svg
      width={SIZE}
      height={SIZE}
      role="img"
      aria-label="Stated confidence against observed success, as in the table"
      className={classes.diagram}
    >
      <rect
        x={at(0)}
        y={up(1)}
        width={at(1) - at(0)}
        height={up(0) - up(1)}
        className={classes.area}
      />
      <line x1={at(0)} y1={up(0)} x2={at(1)} y2={up(1)} className={classes.diagonal} />
      {bins.map(({ bin, mean_confidence, observed_success, decisions }) => (
        <circle
          key={bin}
          cx={at(mean_confidence)}
          cy={up(observed_success)}
          r={3 + 5 * Math.sqrt(decisions / most)}
          className={classes.point}
        />
      ))}
      {[0, 1].map((share) => (
        <g key={share} className={classes.name}>
          <text x={at(share)} y={up(0) + 13} textAnchor="middle">
            {formatShare(share)}
          </text>
          <text x={at(0) - 4} y={up(share)} dy="0.32em" textAnchor="end">
            {formatShare(share)}
          </text>
        </g>
      ))}
      <text x={at(0.5)} y={SIZE - 6} textAnchor="middle" className={classes.name}>
        Stated confidence
      </text>
      <text
        transform={`translate(12, ${up(0.5)}) rotate(-90)`}
        textAnchor="middle"
        className={classes.name}
      >
        Observed success
      </text>
    </svg>
  );
}

/** A tenth of the stated confidence. */
const CSV: CsvTable<Agent['bins'][number]> = {
  name: 'reliability-by-confidence',
  columns: {
    confidence_from: ({ bin }) => bin / 10,
    confidence_to: ({ bin }) => (bin + 1) / 10,
    decisions: ({ decisions }) => decisions,
    losses: ({ losses }) => losses,
    mean_confidence: ({ mean_confidence }) => mean_confidence,
    observed_success: ({ observed_success }) => observed_success,
    expected_loss_rate: ({ expected_loss_rate }) => expected_loss_rate,
  },
};

function Bins({ agent: { bins } }: { agent: Agent }) {
  return (
    <div className={classes.table}>
      <ShortTable label="Outcomes by stated confidence" minWidth={330} csv={CSV} rows={bins}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Stated</Table.Th>
            <Table.Th ta="end">Decisions</Table.Th>
            <Table.Th ta="end">Losses</Table.Th>
            <Table.Th ta="end" data-from="sm">
              Mean stated
            </Table.Th>
            <Table.Th ta="end">Observed</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {bins.map(({ bin, decisions, losses, mean_confidence, observed_success }) => (
            <Table.Tr key={bin}>
              <Table.Td>
                {formatShare(bin / 10)} to {formatShare((bin + 1) / 10)}
              </Table.Td>
              <Table.Td ta="end">{formatCount(Math.round(decisions))}</Table.Td>
              <Table.Td ta="end">{formatFactor(losses)}</Table.Td>
              <Table.Td ta="end" data-from="sm">
                {formatShare(mean_confidence, 1)}
              </Table.Td>
              <Table.Td ta="end">{formatShare(observed_success, 1)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ShortTable>
    </div>
  );
}
