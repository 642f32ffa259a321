import { DecisionBody } from '@decision-ledger/contract/decision';
import { invalidFields } from '@decision-ledger/contract/errors';
import { Type } from 'typebox';
import { membersOf } from '../json.js';
import type { SessionRecorder } from '../recorder.js';
import { defineTool, type Tool, textContent } from './tool.js';

const { action_type, inputs, outputs, confidence, alternatives, metadata } =
  DecisionBody.properties;
const Input = Type.Object(
  { action_type, inputs, outputs, confidence, alternatives, metadata },
  { additionalProperties: false },
);

/** What a model must not say of itself: who reviewed it, and where its confidence is from. */
const RESERVED = ['reviewer_id', 'confidence_source', 'session_id', 'session_seq'];

/** Records a decision of the configured agent, whatever the model says it is. */
export function recordTool(agentId: string, recorder: SessionRecorder, now: () => number): Tool {
  return defineTool({
    name: 'record_decision',
    description:
      'Record a decision that you made, in a ledger that cannot be changed later. State what you knew ' +
      '(inputs), what you decided (outputs), and how sure you are (confidence, from 0 to 1).',
    schema: Input,
    isReadOnly: false,
    run: async (input) => {
      const decision = { agent_id: agentId, ...input };
      requireRecordable(decision);
      const place = recorder.record(decision, now());
      return [textContent(JSON.stringify({ accepted: true, ...place }))];
    },
  });
}

/** What the service would refuse is refused at once: the model can still correct it. */
function requireRecordable(decision: DecisionBody): void {
  const problems = new Map<string, string[]>();
  const metadata = membersOf(decision.metadata) ?? {};
  for (const name of RESERVED) {
    if (Object.hasOwn(metadata, name)) {
      problems.set(`arguments.metadata.${name}`, ['is not for the agent to say: leave it out']);
    }
  }
  if (problems.size > 0) throw invalidFields(Object.fromEntries(problems));
}
