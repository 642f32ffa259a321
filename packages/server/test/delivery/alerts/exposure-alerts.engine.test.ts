import { describeEngine } from '../../support/engine.js';
import { exposureAlertsSuite } from './support/exposure-alerts-suite.js';

describeEngine(exposureAlertsSuite);
