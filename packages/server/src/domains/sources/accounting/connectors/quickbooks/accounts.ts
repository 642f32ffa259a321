import { checker } from '@decision-ledger/contract/validation';
import { Type } from 'typebox';
import { accountKind, roleOf, type Tag } from '../../rules/hledger.js';
import type { Role } from '../../rules/whole.js';

/** What the lines of deposits and journal entries are, by the id of their account. */
export type AccountRoles = ReadonlyMap<string, Role>;

const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const checkAccount = checker(
  Type.Object({
    Id: Type.String(),
    FullyQualifiedName: Text,
    Classification: Text,
    AccountType: Text,
    AccountSubType: Text,
  }),
  'account',
);

/** Accounts of money, by type and by subtype. */
const MONEY: ReadonlySet<string | null | undefined> = new Set([
  'Bank',
  'Credit Card',
  'UndepositedFunds',
]);

/** @param accounts as received; one that cannot be read is left out */
export function rolesOf(accounts: readonly unknown[]): AccountRoles {
  return new Map(
    accounts.flatMap((one): [string, Role][] => {
      try {
        const account = checkAccount(one);
        return [[account.Id, roleOfAccount(account)]];
      } catch {
        return [];
      }
    }),
  );
}

function roleOfAccount(account: ReturnType<typeof checkAccount>): Role {
  const { FullyQualifiedName, Classification, AccountType, AccountSubType } = account;
  const kind = accountKind('', [['type', Classification ?? '']], '');
  const name = `${AccountType ?? ''}:${FullyQualifiedName ?? ''}`;
  const tags: Tag[] = /tax/i.test(AccountSubType ?? '') ? [['part', 'tax']] : [];
  const named = roleOf(name, kind, kind.eventType === 'expense' ? [] : tags);
  const role = named === 'discount' ? 'cost' : named;
  if (role !== 'money' && role !== 'liability') return role;
  return MONEY.has(AccountType) || MONEY.has(AccountSubType) ? 'money' : 'other';
}
