import { Big } from 'big.js';

/**
 * What a posting is in its transaction:
 * - `income`, `cost`: the sale or the purchase itself, without tax
 * - `fee`: a cost that a processor or bank may have kept back
 * - `tax`: tax received for the state, or paid and claimed back
 * - `due`: what customers owe, or is owed to suppliers
 * - `money`: cash, a bank, a card, a balance at a processor
 */
export type Role = 'income' | 'cost' | 'fee' | 'tax' | 'due' | 'money' | 'other';

export interface Part {
  readonly role: Role;
  /** Decimal text: debits are positive. */
  readonly amount: string;
}

/**
 * Whether money moved when the transaction was booked:
 * - `cash`: it did
 * - `accrual`: somebody owes it now
 * - `mixed`: it did in part
 * - `settlement`: something owed before was paid
 * - `own_accounts`: money moved between accounts of the organisation
 */
export type Basis = 'cash' | 'accrual' | 'mixed' | 'settlement' | 'own_accounts';

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
  for (const { role, amount } of parts) sums.set(role, (sums.get(role) ?? new Big(0)).plus(amount));
  const credit = (role: Role): Big | null => sums.get(role)?.times(-1) ?? null;
  const money = sums.get('money') ?? null;
  const due = sums.get('due') ?? null;
  const fee = credit('fee');
  const cost = credit('cost');
  const income = credit('income');
  const tax = credit('tax');
  const isSettlement = income === null && cost === null && due !== null && money !== null;
  const isKept = fee !== null && (income !== null || isSettlement);
  const untaxed = income ?? (isKept || fee === null ? cost : fee.plus(cost ?? 0));
  const total = untaxed === null ? (isSettlement ? due.times(-1) : null) : untaxed.plus(tax ?? 0);
  const basis = isSettlement ? 'settlement' : basisOf(untaxed !== null, { money, due, parts });
  return {
    ...(basis === null ? {} : { basis }),
    whole: stated({ total, untaxed, tax, fee: isKept ? fee : null, settled: money, due }),
  };
}

interface Sides {
  readonly money: Big | null;
  readonly due: Big | null;
  readonly parts: readonly Part[];
}

function basisOf(hasResult: boolean, { money, due, parts }: Sides): Basis | null {
  if (!hasResult) {
    return parts.length > 1 && parts.every(({ role }) => role === 'money') ? 'own_accounts' : null;
  }
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
