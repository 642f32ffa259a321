import { describePostgres } from '../support/postgres.js';
import { metricsSuite } from './support/metrics-suite.js';

describePostgres('PostgreSQL server', () => metricsSuite('postgres'));
