import { describeEngine } from '../support/engine.js';
import { signedReceiptsSuite } from './support/signed-receipts-suite.js';

describeEngine(signedReceiptsSuite);
