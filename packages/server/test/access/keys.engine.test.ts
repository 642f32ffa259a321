import { describeEngine } from '../support/engine.js';
import { keysSuite } from './support/keys-suite.js';

describeEngine(keysSuite);
