/** @typedef {ReturnType<typeof api>} Api */

/**
 * Calls of one key, below `/api/v1`, that have to succeed.
 * @param {string} url
 * @param {string} key
 */
export function api(url, key) {
  const call = async (
    /** @type {string} */ method,
    /** @type {string} */ path,
    /** @type {unknown} */ body,
    type = 'application/json',
  ) => {
    const send = () =>
      fetch(`${url}/api/v1${path}`, {
        method,
        headers: {
          'x-ledger-key': key,
          ...(body !== undefined && { 'content-type': type }),
        },
        ...(body !== undefined && { body: Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
      });
    let answer = await send();
    for (let tries = 0; answer.status === 503 && tries < 60; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      answer = await send();
    }
    const text = await answer.text();
    if (!answer.ok)
      throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 500)}`);
    return JSON.parse(text).data;
  };
  return {
    key,
    get: (/** @type {string} */ path) => call('GET', path, undefined),
    post: (/** @type {string} */ path, /** @type {unknown} */ body) => call('POST', path, body),
    patch: (/** @type {string} */ path, /** @type {unknown} */ body) => call('PATCH', path, body),
    append: (/** @type {string} */ path, /** @type {Buffer} */ bytes) =>
      call('PATCH', path, bytes, 'application/octet-stream'),
  };
}
