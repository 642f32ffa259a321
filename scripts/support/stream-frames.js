import { once } from 'node:events';
import { STREAM_TYPES } from '@decision-ledger/contract/stream-events';
import { WebSocket } from 'ws';
import { until } from './until.js';

/** Opens the stream; returns the first frame of each type, as they arrive. */
export async function listen(url, key) {
  const frames = new Map();
  const socket = new WebSocket(url, {
    headers: { 'x-ledger-key': key },
  });
  socket.on('message', (text) => {
    const frame = JSON.parse(text);
    if (!frames.has(frame.type)) frames.set(frame.type, frame);
  });
  await once(socket, 'open');
  return frames;
}

const UNMADE = new Set(['drift.detected', 'exposure.exceeded', 'budget.reached']);

/** A frame of each type by the name of its schema. A walk-through of one day makes none of `UNMADE`. */
export async function framesOf(frames) {
  const expected = STREAM_TYPES.filter((type) => !UNMADE.has(type));
  const missing = () => expected.filter((type) => !frames.has(type));
  await until(async () => missing().length === 0).catch(() => {
    throw new Error(`the stream sent no ${missing().join(', ')}`);
  });
  return Object.fromEntries([...frames].map(([type, frame]) => [nameOf(type), frame]));
}

/** Records a refund of an event that has a link, which the refund takes. */
export async function refund(call, eventId) {
  const {
    source,
    currency,
    timestamp,
    external_id: reverses,
  } = await call('GET', `/financial-events/${eventId}`);
  const reported = { source, currency, timestamp, event_type: 'refund', amount: '-1.00' };
  await call('POST', '/financial-events', { ...reported, metadata: { reverses } });
  await until(async () => (await call('GET', '/links?status=INHERITED')).links.length > 0);
}

/** `decision.recorded` → `DecisionRecorded`. */
function nameOf(type) {
  return type.replace(/(?:^|[._])(\w)/g, (_, letter) => letter.toUpperCase());
}
