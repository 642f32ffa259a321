import { paginationSuite } from './support/pagination-suite.js';

paginationSuite('embedded');
