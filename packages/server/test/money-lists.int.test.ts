import { moneyListsSuite } from './support/money-lists-suite.js';

moneyListsSuite('embedded');
