import type { SpanGroup } from '@decision-ledger/client/api/operations';
import type { OtlpSettings } from '@decision-ledger/client/api/settings-forms';

export const SIGNAL_NAMES: Readonly<Record<SpanGroup['signal'], string>> = {
  traces: 'Traces',
  metrics: 'Metrics',
  logs: 'Logs',
};

export const RESULT_NAMES: Readonly<Record<SpanGroup['result'], string>> = {
  recorded: 'Recorded',
  ignored: 'Ignored',
  refused: 'Refused',
};

/** Why spans became no decisions. */
export const REASONS: Readonly<Record<NonNullable<SpanGroup['reason']>, string>> = {
  no_rule: 'No rule applies',
  no_content: 'No inputs, outputs or error: let the instrumentation capture content',
  no_mapping: 'No preset and no rule is set; requests are counted',
  not_recorded: 'Accepted and dropped; requests are counted',
  unreadable: 'The span cannot be read',
  ids: 'Its trace id or span id is not valid',
  agent_id: 'Nothing names the agent',
  action_type: 'Nothing names the action',
  payload: 'Inputs, outputs or metadata cannot be kept, or are too large',
  confidence: 'It states no confidence from 0 to 1',
  human_in_loop: 'Whether a person took part is neither true nor false',
  timestamp: 'Its start is missing or in the future',
  recorded_before:
    'It was recorded before with other content, or by another version of the mapping',
  too_late: 'It started longer ago than decisions may be recorded',
  not_accepted: 'The ledger did not accept it; the exporter logged why',
};

export const PRESET_NAMES: Readonly<Record<OtlpSettings['preset'], string>> = {
  none: 'None',
  detect_1: 'All known instrumentations, by what arrives (detect_1)',
  'gen_ai_1.45': 'GenAI semantic conventions (gen_ai_1.45)',
  openinference_1: 'OpenInference (openinference_1)',
  openllmetry_1: 'OpenLLMetry, Traceloop (openllmetry_1)',
  ai_sdk_1: 'AI SDK (ai_sdk_1)',
  langfuse_1: 'Langfuse (langfuse_1)',
  logfire_1: 'Logfire and pydantic-ai (logfire_1)',
  mastra_1: 'Mastra (mastra_1)',
};
