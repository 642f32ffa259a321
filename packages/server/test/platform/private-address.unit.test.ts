import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPrivateAddress } from '#server/platform/allowed-addresses';

const PRIVATE = [
  ...['0.0.0.0', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.255', '127.0.0.1'],
  ...['127.255.255.255', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.1'],
  ...['192.0.2.1', '192.168.0.1', '198.18.0.1', '198.51.100.7', '203.0.113.9', '224.0.0.1'],
  ...['239.255.255.255', '240.0.0.1', '255.255.255.255', '168.63.129.16'],
  ...['100.100.100.200', '192.0.0.192', '::ffff:168.63.129.16', '64:ff9b::a83f:8110'],
  ...['::', '::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1'],
  ...[
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:a00:1',
    '::FFFF:10.1.2.3',
  ],
  ...['::ffff:0:127.0.0.1', '64:ff9b::127.0.0.1', '64:ff9b::a00:1', '64:ff9b::', '64:ff9b:1::1'],
  ...['64:ff9b::1:808:808', '2002:7f00:1::', '2002:808:808::1', '2001::1', '2001:db8::1', '100::1'],
  ...['3fff::1', '5f00::1', '4000::1', '', 'localhost', '127.1', '2130706433', '0x7f.0.0.1'],
];

const PUBLIC = [
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0'],
  ...['126.255.255.255', '128.0.0.0', '169.253.255.255', '172.15.255.255', '172.32.0.0'],
  ...[
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '168.63.129.15',
  ],
  ...['2606:4700:4700::1111', '2a00:1450::1', '2001:4860:4860::8888', '2001:200::1'],
  ...['::ffff:8.8.8.8', '::ffff:808:808', '64:ff9b::8.8.8.8'],
];

describe('isPrivateAddress', () => {
  it.for(PRIVATE)('The address "%s" is private', (address) =>
    expect(isPrivateAddress(address)).toBe(true),
  );

  it.for(PUBLIC)('The address "%s" is public', (address) =>
    expect(isPrivateAddress(address)).toBe(false),
  );

  it('An IPv4 address in IPv6 is classified like the address itself', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.constantFrom('::ffff:', '64:ff9b::'), (address, prefix) => {
        // With a zero group the address is the prefix itself.
        fc.pre(address !== '0.0.0.0');
        expect(isPrivateAddress(`${prefix}${address}`)).toBe(isPrivateAddress(address));
      }),
    );
  });

  it('Any text is classified without an error', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV6()), (text) => {
        expect(typeof isPrivateAddress(text)).toBe('boolean');
      }),
    );
  });
});
