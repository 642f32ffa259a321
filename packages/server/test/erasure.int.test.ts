import { erasureCopiesSuite } from './support/erasure-copies-suite.js';
import { erasureSuite } from './support/erasure-suite.js';
import { erasureTamperSuite } from './support/erasure-tamper-suite.js';

erasureSuite('embedded');
erasureCopiesSuite('embedded');
erasureTamperSuite('embedded');
