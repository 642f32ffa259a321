import { bundlesSuite } from './support/bundles-suite.js';

bundlesSuite('embedded');
