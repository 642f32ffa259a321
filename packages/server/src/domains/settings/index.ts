export { settingsReader } from './read.js';
