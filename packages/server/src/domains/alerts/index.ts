export {
  type AlertMessage,
  AlertRefusedError,
  type AlertTarget,
  deliverAlert,
} from './deliver.js';
export {
  type AlertState,
  type AlertStep,
  type Observation,
  observe,
  WELL,
} from './rules/alert-state.js';
