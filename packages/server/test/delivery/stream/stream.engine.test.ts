import { describeEngine } from '../../support/engine.js';
import { streamSuite } from './support/stream-suite.js';

describeEngine(streamSuite);
