/** Makes unique idempotency keys: a random text of this client, and a number. */
export function keyMaker(): () => string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const prefix = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count}`;
  };
}
