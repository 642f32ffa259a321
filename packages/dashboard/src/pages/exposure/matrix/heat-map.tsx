import { NumberInput, TextInput } from '@mantine/core';
import classes from './matrix.module.css';
import { LIKELIHOODS, type MatrixDraft, SEVERITIES } from './matrix.ts';

interface HeatMapProps {
  readonly draft: MatrixDraft;
  readonly names: readonly string[];
}

/** Where the action types are in the matrix. */
export function HeatMap({ draft, names }: HeatMapProps) {
  return (
    <div className={classes.scroll}>
      <table className={classes.map} aria-label="Risk matrix">
        <thead>
          <tr>
            <th scope="col">Likelihood</th>
            {SEVERITIES.map(({ level, label }) => (
              <th key={level} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...LIKELIHOODS].reverse().map(({ level: likelihood, label }, fromTop) => (
            <tr key={likelihood}>
              <th scope="row">{label}</th>
              {SEVERITIES.map(({ level: severity }, at) => (
                <td key={severity} data-heat={at + LIKELIHOODS.length - 1 - fromTop}>
                  {names
                    .filter((name) => {
                      const cell = draft.cells.get(name) ?? draft.others;
                      return cell.likelihood === likelihood && cell.severity === severity;
                    })
                    .map((name) => (
                      <span key={name} className={classes.name} title={name}>
                        {name}
                      </span>
                    ))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface ScalesProps {
  readonly draft: MatrixDraft;
  readonly currency: string;
  readonly onChange: (draft: MatrixDraft) => void;
}

/** The probability and the amount that the levels stand for. */
export function Scales({ draft, currency, onChange }: ScalesProps) {
  return (
    <details className={classes.scales} data-screen-only>
      <summary>What the levels stand for</summary>
      <div className={classes.levels}>
        {LIKELIHOODS.map(({ level, label }) => (
          <NumberInput
            key={level}
            size="xs"
            label={`${label}, in %`}
            min={0.0000001}
            max={99.9999999}
            decimalScale={7}
            hideControls
            value={Number((draft.likelihoods[level] * 100).toPrecision(9))}
            onChange={(value) => {
              if (typeof value !== 'number') return;
              const share = Number((value / 100).toPrecision(9));
              onChange({ ...draft, likelihoods: { ...draft.likelihoods, [level]: share } });
            }}
          />
        ))}
      </div>
      <div className={classes.levels}>
        {SEVERITIES.map(({ level, label }) => (
          <TextInput
            key={level}
            size="xs"
            inputMode="decimal"
            label={`${label}, in ${currency}`}
            value={draft.severities[level]}
            onChange={({ currentTarget }) =>
              onChange({
                ...draft,
                severities: { ...draft.severities, [level]: currentTarget.value.trim() },
              })
            }
          />
        ))}
      </div>
    </details>
  );
}
