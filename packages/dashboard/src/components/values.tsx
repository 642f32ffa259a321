import type { Link } from '@decision-ledger/client/api/link';
import { Button, Code, CopyButton } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { type DateStyle, formatDate } from '../format/dates.ts';
import { shortened } from '../format/decimal.ts';
import { formatMoney, isRounded } from '../format/numbers.ts';
import { Icon } from './icon.tsx';
import classes from './values.module.css';

interface MomentProps {
  /** RFC 3339. */
  readonly time: string;
  readonly style?: DateStyle;
}

/** A time in the reader's locale and time zone; the exact one in UTC is its tooltip. */
export function Moment({ time, style = 'moment' }: MomentProps) {
  return (
    <time dateTime={time} title={time}>
      {formatDate(time, style)}
    </time>
  );
}

interface MoneyProps {
  /** A decimal, as the API writes it. */
  readonly amount: string;
  readonly currency: string;
  /** Whether a gain has a plus, and the sign a colour. */
  readonly signed?: boolean;
  readonly dimmed?: boolean;
}

/** With more characters before the point, an amount may be broken, because a phone has no room for it on one line. */
const LONG = 11;

/** The parts between which a long amount may be broken: its currency, and the groups of its digits. */
const BETWEEN_PARTS = /(?<=[A-Z]{3}\s)|(?<=\d\D)(?=\d{3})/u;

function breakable(text: string): ReactNode {
  return text.split(BETWEEN_PARTS).reduce<ReactNode>(
    (before, part) => (
      <>
        {before}
        <wbr />
        <span>{part}</span>
      </>
    ),
    null,
  );
}

/** An amount with the digits of its currency; one that has more is its tooltip. */
export function Money({ amount, currency, signed = false, dimmed = false }: MoneyProps) {
  const isLong = amount.replace(/\..*/, '').length > LONG;
  const text = formatMoney(amount, currency, { signed });
  const sign = amount.startsWith('-') ? 'negative' : 'positive';
  return (
    <data
      value={amount}
      className={classes.money}
      title={isRounded(amount, currency) ? `${shortened(amount)} ${currency}` : undefined}
      data-long={isLong}
      {...(dimmed && { 'data-dimmed': true })}
      data-sign={signed && Number(amount) !== 0 ? sign : 'none'}
    >
      {isLong ? breakable(text) : text}
    </data>
  );
}

interface HashProps {
  readonly value: string;
  /** What it is, for the button that copies it. */
  readonly label: string;
  /** Whether all of it is shown. */
  readonly full?: boolean;
}

/** A hash or an id, with a button that copies all of it. Plain elements, because lists draw many of them. */
export function Hash({ value, label, full = false }: HashProps) {
  const { copied, copy } = useClipboard({ timeout: 1500 });
  const isShort = full || value.length <= 20;
  return (
    <span className={classes.hash}>
      <code className={classes.text} data-full={full} title={value}>
        {isShort ? value : `${value.slice(0, 8)}…${value.slice(-6)}`}
      </code>
      <button
        type="button"
        className={classes.copy}
        onClick={() => copy(value)}
        aria-label={copied ? `Copied ${label}` : `Copy ${label}`}
        data-screen-only
      >
        <Icon name={copied ? 'check' : 'copy'} size={14} />
      </button>
    </span>
  );
}

/** A command line, all of which can be read, with a button that copies it. */
export function Command({ text, label }: { text: string; label: string }) {
  return (
    <div className={classes.command}>
      <Code block className={classes.code} tabIndex={0} aria-label={label}>
        {text}
      </Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button
            size="compact-xs"
            variant="default"
            onClick={copy}
            aria-label={`${copied ? 'Copied' : 'Copy'}: ${label}`}
            leftSection={<Icon name={copied ? 'check' : 'copy'} size={12} />}
            data-screen-only
          >
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </div>
  );
}

type Label = NonNullable<Link['label']>;

const LABELS: Readonly<Record<Label, { readonly text: string; readonly title: string }>> = {
  confirmed: { text: 'Confirmed', title: 'A person created or confirmed the link' },
  matched: { text: 'Matched', title: 'The model suggests the link, with strong evidence' },
  guessed: {
    text: 'Guessed',
    title: 'The model suggests the link, with weak evidence; figures leave it out',
  },
};

function isLabel(label: string | null): label is Label {
  return label !== null && Object.hasOwn(LABELS, label);
}

/** How certain it is that a decision caused an event; nothing for what no link claims. */
export function LinkLabel({ label }: { label: string | null }) {
  if (!isLabel(label)) return null;
  const { text, title } = LABELS[label];
  return (
    <span className={classes.label} data-label={label} title={title}>
      {text}
    </span>
  );
}

/** Names and values of one record, side by side where there is space. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name} className={classes.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
