import { streamSuite } from './support/stream-suite.js';

streamSuite('embedded');
