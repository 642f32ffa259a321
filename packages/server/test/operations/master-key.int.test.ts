import { masterKeySuite } from './support/master-key-suite.js';

masterKeySuite('embedded');
