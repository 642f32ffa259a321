import { describeEngine } from '../../support/engine.js';
import { nightlySuite } from './support/nightly-suite.js';

describeEngine(nightlySuite);
