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
