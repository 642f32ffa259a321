import sql, { join, type Sql } from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { Filter } from '../rules/filter.js';
import type { Moved } from '../rules/figures.js';
import { conditions } from './conditions.js';
import { type Conversion, rateIndex, rateOf, ratesTable } from './rates.js';

/**
 * Sums what links move, by the times of their events.
 * @param keys what to sum by: columns of `link_allocations a`, by the names of the answer
 */
export async function sumAllocations<Key extends string>()
