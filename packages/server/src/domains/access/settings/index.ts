export { changeSettings, RECOUNTS } from './change.js';
export { SettingsSecretError } from './keep-secrets.js';
export { openSettings, readSettings, type SettingsReader, settingsReader } from './read.js';
export { resealSettings } from './reseal.js';
export { plainSecretsOf } from './rules/secrets.js';
