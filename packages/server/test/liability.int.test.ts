import { liabilitySuite } from './support/liability-suite.js';

liabilitySuite('embedded');
