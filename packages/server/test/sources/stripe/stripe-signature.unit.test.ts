import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Stripe } from 'stripe';
import { describe, expect, it } from 'vitest';
import { verifySignature } from '#server/domains/sources/stripe/verify-signature';
import { charge, eventOf, signed } from '../../support/stripe-events.js';

const SECRET = 'whsec_current_secret_of_the_endpoint';
const OLD_SECRET = 'whsec_former_secret_of_the_endpoint';
const SIGNED_AT = 1_772_366_400;
const NOW = SIGNED_AT * 1000 + 250;
const payload = eventOf('charge.succeeded', charge({ description: 'Bücher ✓' }));
const { body, header } = signed(payload, SECRET, SIGNED_AT);
const raw = Buffer.from(body);

function handMade(content: string | Buffer, time: string, scheme = 'v1'): string {
  const mac = createHmac('sha256', SECRET).update(`${time}.`).update(content).digest('hex');
  return `t=${time},${scheme}=${mac}`;
}

describe('Stripe signatures', () => {
  it('A signature is valid with its own secret', () => {
    expect(verifySignature(raw, header, [SECRET], NOW)).toBe('valid');
  });

  it('A signature is valid with any of several secrets, in any order', () => {
    expect(verifySignature(raw, header, [OLD_SECRET, SECRET], NOW)).toBe('valid');
    expect(verifySignature(raw, header, [SECRET, OLD_SECRET], NOW)).toBe('valid');
    const old = signed(payload, OLD_SECRET, SIGNED_AT);
    expect(verifySignature(Buffer.from(old.body), old.header, [SECRET, OLD_SECRET], NOW)).toBe(
      'valid',
    );
  });

  it('A signature is valid if the header has those of two secrets, as Stripe sends during a rotation', () => {
    const old = signed(payload, OLD_SECRET, SIGNED_AT).header.split(',')[1];
    expect(verifySignature(raw, `${header},${old},v0=00`, [OLD_SECRET], NOW)).toBe('valid');
    expect(verifySignature(raw, `${header},${old},v0=00`, [SECRET], NOW)).toBe('valid');
  });

  it('The signature is the one that Stripe documents', () => {
    const own = handMade(raw, String(SIGNED_AT));
    expect(own).toBe(header);
  });

  it.for([undefined, '', ' '])('The header %j counts as a missing signature', (missing) => {
    expect(verifySignature(raw, missing, [SECRET], NOW)).toBe('missing');
  });

  it('A signature is forged with another secret, none, or an empty one', () => {
    expect(verifySignature(raw, header, [OLD_SECRET], NOW)).toBe('forged');
    expect(verifySignature(raw, header, [], NOW)).toBe('forged');
    expect(verifySignature(raw, header, ['', ' '], NOW)).toBe('forged');
    const empty = createHmac('sha256', '').update(`${SIGNED_AT}.${body}`).digest('hex');
    expect(verifySignature(raw, `t=${SIGNED_AT},v1=${empty}`, [''], NOW)).toBe('forged');
  });

  it('A signature is forged if one bit of the body differs', () => {
    fc.assert(
      fc.property(fc.nat(raw.length - 1), fc.nat(7), (at, bit) => {
        const other = Buffer.from(raw);
        other[at] = (other[at] ?? 0) ^ (1 << bit);
        expect(verifySignature(other, header, [SECRET], NOW)).toBe('forged');
      }),
    );
  });

  it('A signature covers the exact bytes, including byte order marks and invalid UTF-8', () => {
    const mark = Buffer.from([0xef, 0xbb, 0xbf]);
    expect(verifySignature(Buffer.concat([mark, raw]), header, [SECRET], NOW)).toBe('forged');
    const mended = Buffer.from('{"name":"\ufffd"}');
    const broken = Buffer.concat([
      Buffer.from('{"name":"'),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ]);
    const time = String(SIGNED_AT);
    expect(verifySignature(mended, handMade(mended, time), [SECRET], NOW)).toBe('valid');
    expect(verifySignature(broken, handMade(mended, time), [SECRET], NOW)).toBe('forged');
    expect(verifySignature(broken, handMade(broken, time), [SECRET], NOW)).toBe('forged');
  });

  it('A signature covers the time, which cannot be changed', () => {
    const moved = header.replace(`t=${SIGNED_AT}`, `t=${SIGNED_AT + 60}`);
    expect(verifySignature(raw, moved, [SECRET], NOW)).toBe('forged');
    expect(verifySignature(raw, `t=${SIGNED_AT + 60},${header}`, [SECRET], NOW)).toBe('forged');
  });

  it('A signature of an empty body is forged', () => {
    const empty = Buffer.alloc(0);
    const own = handMade(empty, String(SIGNED_AT));
    expect(verifySignature(empty, own, [SECRET], NOW)).toBe('forged');
  });

  it.for([
    'v1=00',
    `t=${SIGNED_AT}`,
    `t=${SIGNED_AT},v1=`,
    `t=${SIGNED_AT},v1`,
    `t=,v1=00`,
    handMade(raw, 'NaN'),
    handMade(raw, '-1'),
    handMade(raw, '1e9'),
    handMade(raw, `${SIGNED_AT}.0`),
    handMade(raw, String(SIGNED_AT), 'v0'),
    header.toUpperCase(),
    `t=${SIGNED_AT},v1=é`,
    '\u0000',
    '{}',
  ])('The header %j counts as a forged signature', (broken) => {
    expect(verifySignature(raw, broken, [SECRET], NOW)).toBe('forged');
  });

  it('Any header gets a verdict without an error', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const verdict = verifySignature(raw, `${before},v1=${after}`, [SECRET], NOW);
        expect(verdict).toBe('forged');
      }),
    );
  });
});

describe('Time of signing', () => {
  const verdictAfter = (seconds: number, ms = 0) =>
    verifySignature(raw, header, [SECRET], (SIGNED_AT + seconds) * 1000 + ms);

  it('A signature may be 300 seconds old and no older', () => {
    expect(verdictAfter(300)).toBe('valid');
    expect(verdictAfter(300, 999)).toBe('valid');
    expect(verdictAfter(301)).toBe('stale');
    expect(verdictAfter(86_400)).toBe('stale');
  });

  it('A signature may be 300 seconds ahead and no further', () => {
    expect(verdictAfter(-300)).toBe('valid');
    expect(verdictAfter(-301)).toBe('stale');
    expect(verdictAfter(-86_400)).toBe('stale');
  });

  it('The time is not checked before the signature', () => {
    expect(verifySignature(raw, header, [OLD_SECRET], NOW + 3_600_000)).toBe('forged');
  });

  it("The maximum age is the same as in Stripe's package", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 700_000 }), (late) => {
        const now = SIGNED_AT * 1000 + late;
        let accepted = true;
        try {
          Stripe.webhooks.constructEvent(body, header, SECRET, 300, undefined, now);
        } catch {
          accepted = false;
        }
        expect(verifySignature(raw, header, [SECRET], now)).toBe(accepted ? 'valid' : 'stale');
      }),
    );
  });
});
