export { type StreamHub, streamHub } from './hub.js';
export { positionCodec } from './position-codec.js';
export { redeemTicket } from './tickets.js';
