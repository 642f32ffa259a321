import { choiceOf, type Given, textOf } from '../../app/search-params.ts';
import type { Mode } from '../../app/session/state.ts';

export interface SignInSearch {
  /** The address that was asked for: a path of this site. */
  readonly back?: string | undefined;
  /** The mode to sign in for; either if absent. */
  readonly mode?: Mode | undefined;
}

export function readSignIn(given: Given): SignInSearch {
  const back = textOf(given, 'back');
  const isOwnPath = back !== undefined && /^\/(?![/\\])/.test(back);
  return { back: isOwnPath ? back : undefined, mode: choiceOf(given, 'mode', ['live', 'test']) };
}
