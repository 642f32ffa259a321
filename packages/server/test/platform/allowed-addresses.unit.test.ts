import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readConfig } from '#server/config';
import { readAllowedAddresses } from '#server/platform/allowed-addresses';

const METADATA = [
  ...['169.254.169.254', '169.254.170.2', '168.63.129.16', '100.100.100.200', '192.0.0.192'],
  ...['fd00:ec2::254', 'fd20:ce::254', '::ffff:169.254.169.254', '64:ff9b::169.254.169.254'],
  ...['64:ff9b:1::169.254.169.254', '2002:a9fe:a9fe::1', '::169.254.169.254'],
  ...['::ffff:0:169.254.169.254', '2001:0:1::5601:5601', '0:0:0:0:0:FFFF:A9FE:A9FE'],
];

const allows = (list: string | undefined, host: string, address = host) =>
  readAllowedAddresses(list).refusal(host, address) === null;

describe('LEDGER_ALLOW_PRIVATE_ADDRESSES', () => {
  it.for([undefined, '', ' ', 'false'])('The value %j allows no private address', (list) => {
    expect(allows(list, '127.0.0.1')).toBe(false);
    expect(allows(list, 'books.internal', '10.0.0.1')).toBe(false);
    expect(allows(list, 'example.com', '93.184.215.14')).toBe(true);
  });

  it('The value true allows every private address except those of metadata services', () => {
    for (const address of [
      '127.0.0.1',
      '10.0.0.1',
      '::1',
      'fd12::1',
      '192.168.1.1',
      '100.64.0.1',
    ]) {
      expect(allows('true', address)).toBe(true);
    }
    for (const address of METADATA) expect(allows('true', 'x.example', address)).toBe(false);
  });

  it.for(METADATA)('The metadata address %s is allowed only if it is named itself', (address) => {
    const wide = `0.0.0.0/0,::/0,x.example,${address.includes(':') ? '64:ff9b:1::/48' : '169.254.0.0/16'}`;
    expect(allows(wide, 'x.example', address)).toBe(false);
    expect(allows(`x.example,${address}`, 'x.example', address)).toBe(true);
  });

  it('The list allows exactly the names, addresses and networks that it contains', () => {
    const list = 'Books.Internal., 127.0.0.1 ,10.1.0.0/16,fd12::/16';
    expect(allows(list, 'books.internal', '192.168.0.1')).toBe(true);
    expect(allows(list, 'BOOKS.internal.', '192.168.0.1')).toBe(true);
    expect(allows(list, 'x.books.internal', '192.168.0.1')).toBe(false);
    expect(allows(list, 'any.example', '127.0.0.1')).toBe(true);
    expect(allows(list, 'any.example', '::ffff:127.0.0.1')).toBe(true);
    expect(allows(list, 'any.example', '127.0.0.2')).toBe(false);
    expect(allows(list, 'any.example', '10.1.255.255')).toBe(true);
    expect(allows(list, 'any.example', '10.2.0.0')).toBe(false);
    expect(allows(list, 'any.example', 'fd12:1::1')).toBe(true);
    expect(allows(list, 'any.example', '::1')).toBe(false);
  });

  it('A refusal names the variable and the host', () => {
    const { refusal } = readAllowedAddresses('10.0.0.0/8');
    expect(refusal('127.0.0.1', '127.0.0.1')).toMatch(
      /LEDGER_ALLOW_PRIVATE_ADDRESSES=127\.0\.0\.1$/,
    );
    expect(refusal('x', '169.254.169.254')).toMatch(/only this exact address in LEDGER_ALLOW/);
  });

  it.for([
    ...['127.0.0.1:5000', 'http://127.0.0.1', '*.internal', '10.0.0.0/33', '10.0.0.0/', '/8'],
    ...['fe80::1%eth0', '10.0.0', '1', 'a b', 'a,,b', 'yes!', '10.0.0.0/8/8', '::/129', 'a..b'],
  ])('The value %j is refused at the start with the correct form', (list) => {
    const read = () => readConfig({ LEDGER_ALLOW_PRIVATE_ADDRESSES: list });
    expect(read).toThrow(
      /^LEDGER_ALLOW_PRIVATE_ADDRESSES: ".*" is not a host name.*books\.internal/,
    );
  });

  it('No value refuses a public address', () => {
    fc.assert(
      fc.property(fc.constantFrom(undefined, 'true', '10.0.0.0/8'), (list) => {
        expect(allows(list, 'example.com', '1.1.1.1')).toBe(true);
      }),
    );
  });
});
