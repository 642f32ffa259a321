import { exportsSuite } from './support/exports-suite.js';

exportsSuite('embedded');
