export { type StreamHub, streamHub } from './hub.js';
export { positionCodec } from './read-frames.js';
export { redeemTicket } from './tickets.js';
