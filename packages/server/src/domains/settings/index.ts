export { SettingsSecretError } from './keep-secrets.js';
export { openSettings } from './open.js';
export { readSettings, settingsReader } from './read.js';
export { resealSettings, trySettings } from './reseal.js';
