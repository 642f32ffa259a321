import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { publicAddress } from '#server/http/public-address';
import { keyFailures, networkOf } from '#server/http/rate-limit/by-address';

function failures() {
  let now = 0;
  const counter = keyFailures({ now: () => now });
  const failOnce = (ip: string) => {
    const attempt = counter.begin(ip);
    const { allowed } = attempt.fail();
    attempt.end();
    return allowed;
  };
  const advance = (ms: number) => {
    now += ms;
  };
  return { counter, failOnce, advance };
}

describe('Failed keys by address', () => {
  it('An address may fail thirty times a minute, then once every two seconds', () => {
    const { failOnce, advance } = failures();
    const allowed = Array.from({ length: 40 }, () => failOnce('192.0.2.1'));
    expect(allowed.filter(Boolean)).toHaveLength(30);
    expect(failOnce('192.0.2.2')).toBe(true);
    advance(2000);
    expect([failOnce('192.0.2.1'), failOnce('192.0.2.1')]).toEqual([true, false]);
  });

  it('An address is suspect while as many attempts are running as may still fail', () => {
    const { counter } = failures();
    const attempts = Array.from({ length: 31 }, () => counter.begin('192.0.2.1'));
    expect(attempts.map(({ isSuspect }) => isSuspect)).toEqual([
      ...Array.from({ length: 30 }, () => false),
      true,
    ]);
    for (const attempt of attempts) attempt.end();
    expect(counter.begin('192.0.2.1').isSuspect).toBe(false);
  });

  it('IPv6 addresses share one count per /64 network', () => {
    expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2');
    expect(networkOf('2001:0db8:1:2::9')).toBe('2001:db8:1:2');
    expect(networkOf('2001:db8::1')).toBe('2001:db8:0:0');
    expect(networkOf('::1')).toBe('0:0:0:0');
    expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0');
    expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1');
    expect(networkOf('192.0.2.1')).toBe('192.0.2.1');
  });
});

describe('Public address', () => {
  const listening = async (host: string) => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    return server;
  };

  it.for([
    ['the configured URL', '0.0.0.0', 'https://ledger.example', [], /^https:\/\/ledger\.example$/],
    ['the address it listens on', '127.0.0.1', null, [], /^http:\/\/127\.0\.0\.1:\d+$/],
    ['nothing when it listens on all interfaces', '0.0.0.0', null, [], /^$/],
    ['nothing behind a proxy', '127.0.0.1', null, ['127.0.0.1'], /^$/],
  ] as const)(
    'The service reports %s as its public address',
    async ([, host, publicUrl, trustProxy, expected]) => {
      const server = await listening(host);
      expect(publicAddress(server, { publicUrl, trustProxy }, { headers: {} })).toMatch(expected);
      server.close();
    },
  );
});
