import { refTo } from './components.js';
import { exampleOf } from './examples.js';

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

/** The request that the service sends to `alerts.url`. */
export function webhooks() {
  return {
    alert: {
      post: {
        operationId: 'receiveAlert',
        tags: ['jobs'],
        summary: 'Receive an alert signed with Standard Webhooks',
        security: [],
        parameters: [
          header(
            'webhook-id',
            'Identifies the alert; a retry has the same.',
            'msg_01h455vb4pex5vsknk084sn02q',
          ),
          header('webhook-timestamp', 'Seconds since 1970.', '1776331800'),
          header(
            'webhook-signature',
            'Versioned HMAC-SHA256 of `id.timestamp.body`, in base64.',
            'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
          ),
        ],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: refTo('Alert'), example: exampleOf('Alert') } },
        },
        responses: {
          '2XX': { description: 'The alert is delivered.' },
          '4XX': { description: 'The delivery failed and is repeated for a day.' },
          '5XX': { description: 'The delivery failed and is repeated for a day.' },
        },
      },
    },
  };
}
