import { describeAttributionIsolation } from './support/attribution-isolation-suite.js';

describeAttributionIsolation('embedded');
