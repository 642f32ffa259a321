import { pageBytesSuite } from './support/page-bytes-suite.js';

pageBytesSuite('embedded');
