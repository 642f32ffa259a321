import { nightlySuite } from './support/nightly-suite.js';

nightlySuite('embedded');
