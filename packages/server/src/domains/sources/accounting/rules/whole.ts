import { Big } from 'big.js';

/**
 * What a posting is in its transaction:
 * - `income`, `cost`: the sale or the purchase itself, without tax
 * - `discount`: what is taken off a sale, or else a cost like others
 * - `fee`: a cost that a processor or bank may have kept back
 * - `tax`: tax received for the state, or paid and claimed back
 * - `due`: what customers owe, or is owed to suppliers
 * - `money`: cash, a bank, a balance at a processor
 * - `liability`: a loan or a credit card, which is money to spend; in a sale, what is held for others
 * - `equity`: what owners put in and take out
 */
export type Role =
  | ('income' | 'cost' | 'discount' | 'fee' | 'tax' | 'due')
  | ('money' | 'liability' | 'equity' | 'other');

export interface Part {
  readonly role: Role;
  /** Decimal text: debits are positive. */
  readonly amount: string;
}

/**
 * Whether money moved when the transaction was booked:
 * - `cash`: it did
 * - `accrual`: somebody owes it now
 * - `earned`: it had been paid before, as a voucher
 * - `mixed`: it did in part
 * - `settlement`: something owed before was paid
 * - `own_accounts`: it moved between accounts of the organisation, or to or from those who lend to it, own it or tax it
 */
export type Basis = 'cash' | 'accrual' | 'earned' | 'mixed' | 'settlement' | 'own_accounts';

/** The amounts of a whole transaction, as money to the organisation; absent where the books do not state them. */
export interface Whole {
  /** With tax, before fees. */
  readonly total?: string;
  /** The income, or the cost, alone. */
  readonly untaxed?: string;
  readonly tax?: string;
  readonly fee?: string;
  /** What came into or left accounts of money. */
  readonly settled?: string;
  /** What is owed to the organisation (+) or by it (-) from then on. */
  readonly due?: string;
}

/** A fee beside income, or beside the payment of something owed, was kept back; any other fee is a cost like others. */
export function wholeOf(parts: readonly Part[]): { readonly basis?: Basis; readonly whole: Whole } {
  const sums = new Map<Role, Big>();
  const isSale = parts.some(({ role }) => role === 'income');
  for (const { role: stated, amount } of parts) {
    const role = stated === 'discount' ? (isSale ? 'income' : 'cost') : stated;
    sums.set(role, (sums.get(role) ?? new Big(0)).plus(amount));
  }
  const credit = (role: Role): Big | null => sums.get(role)?.times(-1) ?? null;
  const due = sums.get('due') ?? null;
  const fee = credit('fee');
  const cost = credit('cost');
  const income = credit('income');
  const tax = credit('tax');
  const held = heldIn(sums);
  const cash = sums.get('money') ?? null;
  const money = held === null ? added(cash, sums.get('liability')) : cash;
  const isSettlement = income === null && cost === null && due !== null && money !== null;
  const isKept = fee !== null && (income !== null || isSettlement);
  const untaxed = income ?? (isKept || fee === null ? cost : fee.plus(cost ?? 0));
  const paid = isSettlement ? due.times(-1) : null;
  const total = untaxed === null ? paid : untaxed.plus(tax ?? 0).plus(held ?? 0);
  const isOwn = untaxed === null ? isAmongOwn(parts.map(({ role }) => role)) : isClosing(sums);
  const basis = isSettlement
    ? 'settlement'
    : isOwn
      ? 'own_accounts'
      : cashBasis(untaxed, money, due);
  return {
    ...(basis === null ? {} : { basis }),
    whole: stated({ total, untaxed, tax, fee: isKept ? fee : null, settled: money, due }),
  };
}

/**
 * What a sale took in for others, such as tips, or the share of a seller: a liability that grows with the income and the money.
 * Beside a fee or a cost it may be what is owed for these, and nobody knows.
 */
function heldIn(sums: ReadonlyMap<Role, Big>): Big | null {
  const [income, money, liability] = [sums.get('income'), sums.get('money'), sums.get('liability')];
  if (income === undefined || money === undefined || liability === undefined) return null;
  if (sums.has('fee') || sums.has('cost') || sums.has('due')) return null;
  const isAlong = income.times(liability).gt(0) && income.times(money).lt(0);
  return isAlong ? liability.times(-1) : null;
}

const added = (one: Big | null, other: Big | undefined): Big | null =>
  one === null || other === undefined ? (one ?? other ?? null) : one.plus(other);

/** Whether the result of a year is carried to the equity: income and costs are taken back at once, and no money moves. */
function isClosing(sums: ReadonlyMap<Role, Big>): boolean {
  const [income, spent] = [sums.get('income'), added(sums.get('cost') ?? null, sums.get('fee'))];
  if (income === undefined || spent === null || !sums.has('equity')) return false;
  const isAll = [...sums.keys()].every((role) => CLOSED.has(role));
  return isAll && income.gt(0) && spent.lt(0);
}

const CLOSED: ReadonlySet<Role> = new Set<Role>(['income', 'cost', 'fee', 'equity']);
const OWN: ReadonlySet<Role> = new Set<Role>(['money', 'liability', 'tax', 'equity']);

/**
 * Whether money stays with the organisation: between its accounts, or what it borrows and pays back, what its owners put in and
 * take out, and the tax that it hands on.
 */
export const isAmongOwn = (roles: readonly Role[]): boolean =>
  roles.length > 1 &&
  roles.every((role) => OWN.has(role)) &&
  roles.some((role) => role === 'money' || role === 'liability');

function cashBasis(untaxed: Big | null, money: Big | null, due: Big | null): Basis | null {
  if (untaxed === null) return null;
  if (due === null || due.eq(0)) return money === null ? null : 'cash';
  return money === null || money.eq(0) ? 'accrual' : 'mixed';
}

function stated(amounts: { readonly [Name in keyof Whole]-?: Big | null }): Whole {
  return Object.fromEntries(
    Object.entries(amounts).flatMap(([name, amount]) =>
      amount === null ? [] : [[name, amount.eq(0) ? '0' : amount.toFixed()]],
    ),
  );
}
