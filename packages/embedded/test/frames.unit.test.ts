import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReplyScanner } from '#embedded/reply-scanner';
import {
  FrameError,
  FrameSplitter,
  findStatementName,
  readParameters,
  UnitBuilder,
} from '#embedded/wire-frames';
import { message, query, SYNC } from '#embedded/wire-messages';

/** Some messages, and the same bytes cut at any positions. */
const traffic = fc
  .array(fc.tuple(fc.constantFrom(...'PBEDCSHQ'), fc.uint8Array({ maxLength: 40 })))
  .map((messages) => messages.map(([type, body]) => message(type, Buffer.from(body))))
  .chain((messages) => {
    const bytes = Buffer.concat(messages);
    return fc.tuple(fc.constant(messages), fc.array(fc.nat(bytes.length)));
  })
  .map(([messages, cuts]) => ({ messages, chunks: cutAt(Buffer.concat(messages), cuts) }));

function cutAt(bytes: Buffer, cuts: number[]): Buffer[] {
  const ends = [0, ...cuts.sort((a, b) => a - b), bytes.length];
  return ends.slice(1).map((end, index) => bytes.subarray(ends[index], end));
}

describe('Frame splitter', () => {
  it('The splitter finds the same messages however the bytes are cut', () => {
    fc.assert(
      fc.property(traffic, ({ messages, chunks }) => {
        const splitter = new FrameSplitter();
        const found: Buffer[] = [];
        for (const chunk of chunks) {
          splitter.push(chunk);
          for (let one = splitter.takeFrame(); one !== null; one = splitter.takeFrame()) {
            found.push(one.bytes);
          }
        }
        expect(found).toEqual(messages);
      }),
    );
  });

  it('The splitter refuses a message that is too long before its bytes arrive', () => {
    const splitter = new FrameSplitter();
    splitter.push(Buffer.from([0x51, 0x04, 0, 0, 0]));
    expect(() => splitter.takeFrame()).toThrow(FrameError);
  });

  it('The splitter reads the startup message, which has no type', () => {
    const splitter = new FrameSplitter();
    const body = Buffer.from('user\0me\0database\0its\0\0');
    const head = Buffer.from([0, 0, 0, body.length + 8, 0, 3, 0, 0]);
    splitter.push(Buffer.concat([head, body, SYNC]));
    const startup = splitter.takeStartup();
    expect(startup?.code).toBe(0x30000);
    expect([...readParameters(startup?.body ?? Buffer.alloc(0))]).toEqual([
      ['user', 'me'],
      ['database', 'its'],
    ]);
    expect(splitter.takeFrame()?.type).toBe('S');
  });
});

describe('Units', () => {
  it('Units end with Sync, Query and Flush, and omit copy data', () => {
    const builder = new UnitBuilder();
    const frames = [...'PBES', ...'dcf', 'Q', ...'PH'].map((type) => ({
      type,
      bytes: message(type),
    }));
    const units = frames.map((frame) => builder.add(frame)).filter((unit) => unit !== null);
    expect(units.map((unit) => unit.map(({ type }) => type).join(''))).toEqual(['PBES', 'Q', 'PH']);
  });
});

describe('Statement names', () => {
  it.for([
    ['P', 'name\0select 1\0\0\0', 'name'],
    ['B', 'portal\0name\0\0\0\0\0\0\0', 'name'],
    ['D', 'Sname\0', 'name'],
    ['C', 'Sname\0', 'name'],
    ['D', 'Pportal\0', undefined],
    ['E', 'portal\0\0\0\0\0', undefined],
  ] as const)(
    'The statement name of a message is found if it has one: %s',
    ([type, body, name]) => {
      const bytes = message(type, body);
      const found = findStatementName({ type, bytes });
      expect(found?.name).toBe(name);
      if (found === null) return;
      const { before, after } = found;
      expect(Buffer.concat([before, Buffer.from(found.name), after])).toEqual(bytes.subarray(5));
    },
  );

  it('A statement name must be terminated', () => {
    const bytes = message('P', 'name');
    expect(() => findStatementName({ type: 'P', bytes })).toThrow(FrameError);
  });
});

describe('Reply scanner', () => {
  const row = message('D', Buffer.from([0, 1, 0, 0, 0, 2]), 'ok');
  const reply = Buffer.concat([
    row,
    message('E', 'SERROR\0\0'),
    message('S', 'is_superuser\0off\0'),
    message('D', Buffer.alloc(600)),
    row,
    message('Z', 'T'),
  ]);

  it('The scanner finds the same status however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(reply.length)), (cuts) => {
        const scanner = new ReplyScanner();
        for (const chunk of cutAt(reply, cuts)) scanner.push(chunk);
        expect(scanner).toMatchObject({ status: 'T', failed: true, value: 'ok' });
        expect(scanner.parameters.get('is_superuser')).toBe('off');
      }),
    );
  });

  it('The scanner has no status while a reply is incomplete', () => {
    const scanner = new ReplyScanner();
    scanner.push(query('not a reply').subarray(0, 3));
    expect(scanner.status).toBeNull();
  });
});
