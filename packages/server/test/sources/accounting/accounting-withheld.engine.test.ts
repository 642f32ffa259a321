import { describeEngine } from '../../support/engine.js';
import { describeWithheld } from './support/withheld-suite.js';

describeEngine(describeWithheld);
