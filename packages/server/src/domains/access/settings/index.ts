export { changeSettings, OUTCOMES_DUE, RECOUNTS, type TriedChange } from './change.js';
export { resealSettings, SettingsSecretError } from './keep-secrets.js';
export {
  everyOrigin,
  openSettings,
  readSettings,
  type SettingsReader,
  settingsReader,
} from './read.js';
export { plainSecretsOf } from './rules/secrets.js';
