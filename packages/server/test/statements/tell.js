// Tells which statements are sent to a database: those of a thread that the service started, or of this process.
import diagnostics from 'node:diagnostics_channel';
import { BroadcastChannel, isMainThread, workerData } from 'node:worker_threads';

/** The name of both channels. */
const STATEMENTS = 'statements';

/** @param {(text: string) => void} tell */
async function tellStatements(tell) {
  const { default: pg } = await import('pg');
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function observed(statement, ...rest) {
    const text = typeof statement === 'string' ? statement : statement?.text;
    if (text !== undefined) tell(text);
    return query.call(this, statement, ...rest);
  };
}

if (isMainThread) {
  const channel = diagnostics.channel(STATEMENTS);
  await tellStatements((text) => channel.publish(text));
} else if (workerData?.address !== undefined) {
  // Of the threads, those that open a database have its address.
  const channel = new BroadcastChannel(STATEMENTS);
  channel.unref();
  await tellStatements((text) => channel.postMessage(text));
}
