import { describeEngine } from '../support/engine.js';
import { erasureCopiesSuite } from './support/erasure-copies-suite.js';
import { erasureSuite } from './support/erasure-suite.js';
import { erasureTamperSuite } from './support/erasure-tamper-suite.js';

describeEngine((engine) => {
  erasureSuite(engine);
  erasureCopiesSuite(engine);
  erasureTamperSuite(engine);
});
