import { moneyChangesSuite } from './support/money-changes-suite.js';

moneyChangesSuite('embedded');
