export { type SettingsReader, settingsReader } from './read.js';
