import { keysSuite } from './support/keys-suite.js';

keysSuite('embedded');
