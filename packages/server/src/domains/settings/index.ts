export { SettingsSecretError } from './keep-secrets.js';
export { type OpenSettingsTools, openSettings } from './open.js';
export { readSettings, type SettingsReader, settingsReader } from './read.js';
