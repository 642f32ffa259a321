import { alertsSuite } from './support/alerts-suite.js';

alertsSuite('embedded');
