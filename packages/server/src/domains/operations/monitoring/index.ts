export { storedFigures } from './stored-figures.js';
