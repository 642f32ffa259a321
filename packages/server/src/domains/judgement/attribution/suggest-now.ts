import { catchUpDue } from '../../../platform/followers/due-step.js';
import { selectDue } from '../../../platform/followers/due-work.js';
import { catchUp } from '../../../platform/followers/step.js';
import type { Ledger } from '../../../platform/ledger.js';
import { features } from './extract.js';
import { SUGGESTIONS } from './store/events-to-score.js';
import { type SuggestionTools, suggestions } from './suggest.js';
import { checkSuggestions } from './suggestion-quality.js';

/**
 * Suggests links for all events that wait, now. Any number of processes may do this at once, and what a process that was
 * killed leaves is done by the next one.
 * @throws what a step throws
 */
export async function suggestNow(
  ledger: Ledger,
  tools: SuggestionTools,
  signal: AbortSignal,
): Promise<void> {
  const follower = suggestions(tools);
  const { clock } = tools;
  for (let isDue = true; isDue; ) {
    await catchUp(ledger, features, signal);
    await catchUpDue(ledger, follower, clock, signal);
    // A change of the label or of the model lets events wait again.
    await checkSuggestions(ledger, tools);
    isDue = (await selectDue(ledger, SUGGESTIONS, clock.now(), 1)).length > 0;
  }
}
