import { describeAttributionIsolation } from './support/attribution-isolation-suite.js';
import { describeEngine } from './support/engine.js';

describeEngine(describeAttributionIsolation);
