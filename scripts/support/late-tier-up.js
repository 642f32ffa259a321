/**
 * V8 optimises functions of the embedded database after little use, on other threads. That takes a command of one
 * second a third of its work, so the processes of the tests wait until a function was used ten times as much. What
 * they run is the same.
 */
export const LATE_TIER_UP = '--wasm-tiering-budget=18000000';
