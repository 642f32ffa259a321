import { DecisionReceipt } from '@decision-ledger/contract/decision';
import { expect } from 'vitest';
import { dataOf, decision, expectRefusal } from '../../support/client.js';
import { createUpload, sendChunk, upload } from '../../support/uploads.js';
import type { Case } from './isolation-ledger.js';

const BYTES = Buffer.from('{"order":"A-1"}');

/** The cases of uploads. */
export const UPLOAD_CASES: Readonly<Record<string, Case>> = {
  'POST /api/v1/uploads': async (own, foreign) => {
    const outputs = { $upload: await upload(foreign.client, BYTES) };
    const answer = await own.client.post('/decisions', decision({ outputs }));
    expectRefusal(answer, 'validation_error', 'outputs');
  },
  'GET /api/v1/uploads/:id': async (own, foreign) => {
    const { upload_id } = await createUpload(foreign.client, BYTES);
    expectRefusal(await own.client.get(`/uploads/${upload_id}`), 'not_found');
  },
  'PATCH /api/v1/uploads/:id': async (own, foreign) => {
    const { upload_id } = await createUpload(foreign.client, BYTES);
    expectRefusal(await sendChunk(own.client, upload_id, BYTES, 0), 'not_found');
    expect((await sendChunk(foreign.client, upload_id, BYTES, 0)).status).toBe(200);
  },
  'GET /api/v1/decisions/:id/uploads/:field': async (own, foreign) => {
    const outputs = { $upload: await upload(foreign.client, BYTES) };
    const recorded = await foreign.client.post('/decisions', decision({ outputs }));
    const { decision_id } = dataOf(recorded, DecisionReceipt, 201);
    const path = `/decisions/${decision_id}/uploads/outputs`;
    expectRefusal(await own.client.get(path), 'not_found');
    expect((await foreign.client.get(path)).text).toBe(BYTES.toString());
  },
};
