import { Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { PAPER_PX } from '../../charts/paper.ts';
import { negated } from '../../format/decimal.ts';
import { formatCompact, formatMoney } from '../../format/numbers.ts';
import { drawnStepsOf, type Statement, type Step, stepsOf } from './statement.ts';
import classes from './waterfall.module.css';
import { layOut, type PlacedStep, type WaterfallLayout } from './waterfall-layout.ts';

const HEIGHT = 380;
const WIDE = { height: HEIGHT, left: 52, top: 24, bottom: 44 };
/** Names stand upright where bars are narrow. */
const NARROW = { height: HEIGHT, left: 40, top: 12, bottom: 116 };
const NARROW_PX = 940;

/** How the net comes about, and what may still follow. Each bar leads to its rows. */
export function Waterfall({ statement }: { statement: Statement }) {
  const { ref, width } = useElementSize();
  return (
    <>
      <div ref={ref} className={classes.frame} style={{ height: HEIGHT }} data-screen-only>
        {width > 0 && <Drawing statement={statement} width={width} />}
      </div>
      <div className={classes.frame} data-print-only>
        <Drawing statement={statement} width={PAPER_PX} />
      </div>
      <Text size="xs" c="dimmed" mt={6}>
        Hatched: suggested links, not confirmed yet; the bracket holds 9 in 10. Dashed: guesses, in
        no total. Below zero, on its own: the exposure, which nothing subtracts, with its median
        (p50) and 95th percentile (p95); its stronger part is realised.
      </Text>
    </>
  );
}

function Drawing({ statement, width }: { statement: Statement; width: number }) {
  const hatching = useId();
  const { pnl, exposure } = statement;
  const { p50, var95, realised } = exposure.aggregate;
  const { low, high } = pnl.confidence_interval;
  const marks = {
    ...{ low, high, p50: negated(p50), p95: negated(var95), realised: negated(realised) },
  };
  const isNarrow = width < NARROW_PX;
  const frame = { ...(isNarrow ? NARROW : WIDE), width };
  const layout = layOut(drawnStepsOf(stepsOf(statement)), marks, frame);
  return (
    <svg
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      className={classes.drawing}
    >
      <title>Waterfall of the figures in the table</title>
      <Hatching id={hatching} />
      <Axis layout={layout} left={frame.left} width={width} />
      <Connectors bars={layout.bars} />
      {layout.bars.map((bar) => (
        <Bar
          key={bar.step.figure}
          {...{ bar, isNarrow, hatching, labelY: HEIGHT - frame.bottom }}
        />
      ))}
      <Whisker layout={layout} low={Number(low)} high={Number(high)} />
      <ExposureTicks layout={layout} marks={marks} isNarrow={isNarrow} />
    </svg>
  );
}

function Hatching({ id }: { id: string }) {
  return (
    <defs>
      <pattern
        id={id}
        width="6"
        height="6"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect width="6" height="6" className={classes.hatchGround} />
        <line x1="0" y1="0" x2="0" y2="6" className={classes.hatchLine} />
      </pattern>
    </defs>
  );
}

interface AxisProps {
  readonly layout: WaterfallLayout;
  readonly left: number;
  readonly width: number;
}

function Axis({ layout: { y, ticks }, left, width }: AxisProps) {
  return ticks.map((tick) => (
    <g key={tick}>
      <line
        className={tick === 0 ? classes.zero : classes.grid}
        x1={left}
        x2={width}
        y1={y(tick)}
        y2={y(tick)}
      />
      <text className={classes.tick} x={left - 8} y={y(tick)} dy="0.32em">
        {formatCompact(tick)}
      </text>
    </g>
  ));
}

/** Lines from the end of a bar to the start of the next one; none where the bars stand apart. */
function Connectors({ bars }: { bars: readonly PlacedStep[] }) {
  return bars.slice(1).map((bar, at) => {
    const before = bars[at];
    if (before === undefined || bar.step.kind === 'apart' || bar.step.kind === 'hanging')
      return null;
    return (
      <line
        key={bar.step.figure}
        className={classes.connector}
        x1={before.x + before.width}
        x2={bar.x}
        y1={before.endY}
        y2={before.endY}
      />
    );
  });
}

interface BarProps {
  readonly bar: PlacedStep;
  readonly isNarrow: boolean;
  readonly labelY: number;
  /** The id of the pattern of what is not confirmed. */
  readonly hatching: string;
}

const HATCHED: ReadonlySet<Step['kind']> = new Set(['matched', 'expected']);

function Bar({ bar, isNarrow, labelY, hatching }: BarProps) {
  const { step, x, width, top, height } = bar;
  const { figure, label, amount, currency, kind } = step;
  const text = formatMoney(amount, currency);
  const middle = x + width / 2;
  return (
    <Link
      from="/agents/$agentId"
      to="."
      search={(old) => ({ ...old, figure })}
      resetScroll={false}
      tabIndex={-1}
      className={classes.bar}
    >
      <title>{`${label}: ${text}`}</title>
      <rect className={classes.area} x={x - 4} y={0} width={width + 8} height={HEIGHT} />
      <rect
        className={classes.shape}
        {...(HATCHED.has(kind) && { fill: `url("#${hatching}")` })}
        data-kind={kind}
        data-sign={amount.startsWith('-') ? 'negative' : 'positive'}
        x={x}
        y={top}
        width={width}
        height={Math.max(1, height)}
      />
      {isNarrow ? (
        <text
          className={classes.name}
          transform={`translate(${middle}, ${labelY + 8}) rotate(-90)`}
          textAnchor="end"
          dy="0.32em"
        >
          {label}
        </text>
      ) : (
        <>
          <text className={classes.name} x={middle} y={labelY + 20} textAnchor="middle">
            {label}
          </text>
          <text className={classes.amount} x={middle} y={labelY + 36} textAnchor="middle">
            {text}
          </text>
        </>
      )}
    </Link>
  );
}

interface WhiskerProps {
  readonly layout: WaterfallLayout;
  readonly low: number;
  readonly high: number;
}

/** The 90 % interval of the expected net. */
function Whisker({ layout: { bars, y }, low, high }: WhiskerProps) {
  const bar = bars.find(({ step }) => step.kind === 'expected');
  if (bar === undefined || low === high) return null;
  const x = bar.x + bar.width / 2;
  return (
    <g className={classes.whisker}>
      <line x1={x} x2={x} y1={y(low)} y2={y(high)} />
      <line x1={x - 6} x2={x + 6} y1={y(low)} y2={y(low)} />
      <line x1={x - 6} x2={x + 6} y1={y(high)} y2={y(high)} />
    </g>
  );
}

/** Labels of ticks are at least this far apart, in the units of the drawing. */
const LABEL_HEIGHT = 12;

interface ExposureTicksProps {
  readonly layout: WaterfallLayout;
  readonly marks: { readonly p50: string; readonly p95: string; readonly realised: string };
  readonly isNarrow: boolean;
}

/** The median and the 95th percentile of what the decisions will have cost, and what is lost already. */
function ExposureTicks({ layout: { bars, y }, marks, isNarrow }: ExposureTicksProps) {
  const bar = bars.find(({ step }) => step.kind === 'hanging');
  if (bar === undefined) return null;
  const [median, high] = [y(Number(marks.p50)), y(Number(marks.p95))];
  const ticks = [
    { name: 'p50', at: median, label: median },
    { name: 'p95', at: high, label: Math.max(high, median + LABEL_HEIGHT) },
  ];
  return (
    <g>
      <rect
        className={classes.realised}
        x={bar.x}
        y={y(0)}
        width={bar.width}
        height={Math.max(0, y(Number(marks.realised)) - y(0))}
      />
      <line
        className={classes.reach}
        x1={bar.x + bar.width / 2}
        x2={bar.x + bar.width / 2}
        y1={y(0) + bar.height}
        y2={Math.max(y(0) + bar.height, high)}
      />
      {ticks.map(({ name, at, label }) => (
        <g key={name}>
          <line
            className={classes.percentile}
            x1={bar.x - 5}
            x2={bar.x + bar.width + 5}
            y1={at}
            y2={at}
          />
          {!isNarrow && (
            <text className={classes.tick} x={bar.x - 9} y={label} dy="0.32em">
              {name}
            </text>
          )}
        </g>
      ))}
    </g>
  );
}
