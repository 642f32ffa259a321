import type { DecisionInDetail } from '@decision-ledger/client/api/decision';
import { Button, Code, CopyButton, Text } from '@mantine/core';
import { Icon } from '../../components/icon.tsx';
import classes from './payload.module.css';

const FIELDS = [
  ['inputs', 'Inputs'],
  ['outputs', 'Outputs'],
  ['alternatives', 'Alternatives'],
  ['metadata', 'Metadata'],
] as const;

/** The payload as it was recorded. It is shown as text: nothing of it is interpreted. */
export function Payload({ decision }: { decision: DecisionInDetail }) {
  return (
    <div className={classes.fields}>
      {FIELDS.map(([name, label]) => (
        <Field
          key={name}
          label={label}
          value={decision[name]}
          isErased={decision.erased_fields?.includes(name) ?? false}
        />
      ))}
    </div>
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: unknown;
  readonly isErased: boolean;
}

function Field({ label, value, isErased }: FieldProps) {
  const text = value === undefined ? null : JSON.stringify(value, null, 2);
  return (
    <div className={classes.field}>
      <div className={classes.head}>
        <h3>{label}</h3>
        {text !== null && (
          <CopyButton value={text}>
            {({ copied, copy }) => (
              <Button
                size="compact-xs"
                variant="subtle"
                color="gray"
                onClick={copy}
                leftSection={<Icon name={copied ? 'check' : 'copy'} size={12} />}
                data-screen-only
              >
                {copied ? 'Copied' : 'Copy'}
                <span className={classes.hidden}> {label}</span>
              </Button>
            )}
          </CopyButton>
        )}
      </div>
      {text === null ? (
        <Text c="dimmed" size="sm">
          {isErased ? 'Erased. The chain still proves that it was recorded.' : 'Not recorded.'}
        </Text>
      ) : (
        <Code block className={classes.text} tabIndex={0}>
          {text}
        </Code>
      )}
    </div>
  );
}
