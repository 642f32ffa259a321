import { describeEngine } from '../support/engine.js';
import { sessionsSuite } from './support/sessions-suite.js';

describeEngine(sessionsSuite);
