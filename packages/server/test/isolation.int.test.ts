import { isolationSuite } from './support/isolation-suite.js';

isolationSuite('embedded');
