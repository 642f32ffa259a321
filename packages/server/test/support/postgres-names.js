// @ts-check
// JavaScript, because the server of the tests is.
import process from 'node:process';

/** Where the tests on PostgreSQL keep what they make; the embedded engine has one schema. */
export const SCHEMA = process.env.LEDGER_TEST_SCHEMA ?? 'public';

/** A copy of a database has another name, and the role of the original. */
export const ROLE = 'ledger_app';

/** The settings of every service on the server of the tests. */
export const NAMES = { LEDGER_DATABASE_ROLE: ROLE, LEDGER_DATABASE_SCHEMA: SCHEMA };

/** For connections of the tests themselves, also before the schemas are made. */
export const SEARCH_PATH = `${SCHEMA}, ${SCHEMA}_jobs, public`;
