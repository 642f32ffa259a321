// Generated from the contract by scripts/client-types.js.

export interface Version {
  readonly version: string;
}

export interface Health {
  readonly status: 'ok';
}
