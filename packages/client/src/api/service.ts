// Generated from the contract by scripts/client-types.js.

export interface Version {
  /** The release that is running. */
  readonly version: string;
  /** The version of the interface specification that the API implements. */
  readonly interface: string;
}
