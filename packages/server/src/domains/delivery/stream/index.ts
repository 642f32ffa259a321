export { type StreamHub, streamHub } from './hub.js';
export { positionCodec } from './ledger-feed.js';
export { redeemTicket } from './tickets.js';
