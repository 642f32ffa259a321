import type { IncomingHttpHeaders } from 'node:http';
import type { JsonMembers } from '../json.js';
import { membersAt } from '../json.js';
import {
  HEADER_MISMATCH,
  MODERN,
  type RequestCheck,
  UNSUPPORTED_VERSION,
  VERSION_KEY,
  WITH_HANDSHAKE,
} from './protocol.js';

/** The check that the headers of an HTTP request say what its message says, as far as its version asks for it. */
export function mirroredBy(headers: IncomingHttpHeaders): RequestCheck {
  const version = headers['mcp-protocol-version'];
  return (method, params) => {
    const claimed = membersAt(params, '_meta')[VERSION_KEY];
    if (claimed === undefined && version !== MODERN) return checkLegacy(version);
    const problem = findMismatch(headers, method, params, claimed);
    return problem === null ? null : { code: HEADER_MISMATCH, message: problem };
  };
}

function checkLegacy(version: unknown): ReturnType<RequestCheck> {
  if (version === undefined || WITH_HANDSHAKE.some((known) => known === version)) return null;
  const supported = [MODERN, ...WITH_HANDSHAKE];
  return {
    code: UNSUPPORTED_VERSION,
    message: 'this version of the protocol is not supported',
    data: { supported, requested: String(version) },
  };
}

function findMismatch(
  headers: IncomingHttpHeaders,
  method: string,
  params: JsonMembers,
  claimed: unknown,
): string | null {
  if (headers['mcp-protocol-version'] !== claimed) {
    return 'the header MCP-Protocol-Version differs from the version that the message states';
  }
  if (headers['mcp-method'] !== method) {
    return 'the header Mcp-Method differs from the method of the message';
  }
  if (method === 'tools/call' && decodeName(headers['mcp-name']) !== params.name) {
    return 'the header Mcp-Name differs from the name of the tool in the message';
  }
  return null;
}

/** A name that no header can carry is encoded. */
function decodeName(header: string | readonly string[] | undefined): unknown {
  const [, encoded] = /^=\?base64\?([A-Za-z0-9+/]{0,1000}={0,2})\?=$/.exec(String(header)) ?? [];
  return encoded === undefined ? header : Buffer.from(encoded, 'base64').toString('utf8');
}
