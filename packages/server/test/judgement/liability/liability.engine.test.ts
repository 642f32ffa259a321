import { describeEngine } from '../../support/engine.js';
import { liabilitySuite } from './support/liability-suite.js';

describeEngine(liabilitySuite);
