import { metricsSuite } from './support/metrics-suite.js';

metricsSuite('embedded');
