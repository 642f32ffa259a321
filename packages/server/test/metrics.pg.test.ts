import { metricsSuite } from './support/metrics-suite.js';
import { describePostgres } from './support/postgres.js';

describePostgres('on a PostgreSQL server', () => metricsSuite('postgres'));
