import { analyticsSuite } from './support/analytics-suite.js';

analyticsSuite('embedded');
