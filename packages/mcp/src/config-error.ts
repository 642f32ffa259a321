/** What an operator configured cannot work. The message has the remedy. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
