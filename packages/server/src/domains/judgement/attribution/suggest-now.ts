import { catchUpDue } from '../../../platform/followers/due-step.js';
import { selectDue } from '../../../platform/followers/due-work.js';
import { catchUp } from '../../../platform/followers/step.js';
import type { Ledger } from '../../../platform/ledger.js';
import type { RecordHooks } from '../../record/hooks/index.js';
import { featureFollower } from './extract.js';
import { SUGGESTIONS } from './store/events-to-score.js';
import { suggestionFollower } from './suggest.js';
import { checkSuggestions } from './suggestion-quality.js';

/**
 * Suggests links for all events that wait, now. Any number of processes may do this at once, and what a process that was
 * killed leaves is done by the next one.
 * @throws what a step throws
 */
export async function suggestNow(
  ledger: Ledger,
  hooks: RecordHooks,
  signal: AbortSignal,
): Promise<void> {
  const follower = suggestionFollower(hooks);
  for (let isDue = true; isDue; ) {
    await catchUp(ledger, featureFollower, signal);
    await catchUpDue(ledger, follower, signal);
    // A change of the label or of the model lets events wait again.
    await checkSuggestions(ledger);
    isDue = (await selectDue(ledger, SUGGESTIONS, ledger.clock.now(), 1)).length > 0;
  }
}
