import { describePostgres } from '../support/postgres.js';
import { metricsSuite } from './support/metrics-suite.js';

describePostgres('on a PostgreSQL server', () => metricsSuite('postgres'));
