// Generated from the contract by scripts/client-types.js.

export type JsonObject = { readonly [name: string]: unknown };
