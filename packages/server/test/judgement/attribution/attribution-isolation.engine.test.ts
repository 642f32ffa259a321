import { describeEngine } from '../../support/engine.js';
import { describeAttributionIsolation } from './support/attribution-isolation-suite.js';

describeEngine(describeAttributionIsolation);
