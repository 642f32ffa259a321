import type { Findings } from '../report/findings.js';
import type { Inspection } from './inspect.js';

/** Checks that the bundle is signed with the key whose fingerprint the caller obtained separately. */
export function checkAuthenticity(
  { signer, keys, recorded }: Inspection,
  pinned: string | null,
  findings: Findings,
): void {
  const own = signer.key?.fingerprint ?? null;
  if (own === null || !signer.isValid) {
    const message = 'The bundle has no valid signature, so its author is unknown.';
    findings.fail('authenticity', { code: 'signature_invalid', message });
  } else if (!recorded.signers.has(own)) {
    const message = `The activity chain does not record the key ${own}.`;
    findings.fail('authenticity', { code: 'signer_unrecorded', message });
  } else if (pinned === null) {
    const message = `The bundle is signed by the key ${own}. Compare it with the fingerprint that the organisation published.`;
    findings.doubt('authenticity', { code: 'key_unpinned', message });
  } else if (pinned !== own && keys.has(pinned)) {
    const retired = keys.get(pinned) ?? null;
    const since = retired === null ? '' : `, retired at ${retired}`;
    const message = `The bundle is signed by the key ${own}. The given key is listed in keys.json as another key of the organisation${since}: ask the organisation for the fingerprint of the newer one.`;
    findings.fail('authenticity', { code: 'key_former', file: 'keys.json', message });
  } else if (pinned !== own) {
    const message = `The bundle is signed by the key ${own}, not by ${pinned}.`;
    findings.fail('authenticity', { code: 'key_other', message });
  }
}
