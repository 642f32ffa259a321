// Examples of what a walk-through of one day does not produce.

import { BUDGET_EXAMPLES } from './budget-examples.js';
import { OTLP_EXAMPLES } from './otlp-examples.js';

const figures = (revenue, costs, losses, net) => ({
  revenue,
  savings: '0.00',
  costs,
  refunds: '0.00',
  losses,
  net,
});

const WITHHELD = {
  plan: '5d1c0e7a9b3f4c2688e1a0d4b7f36c95',
  since: '2026-04-16T09:25:00.000Z',
  reasons: ['confirmed'],
  deleted: 2,
  changed: 0,
  confirmed: 1,
  months: [],
  sums: [{ currency: 'EUR', before: '1840', after: '940' }],
  held_back: 0,
  polls: 2,
  items: [
    {
      change: 'deleted',
      event: 'evt_01h455vb4pex5vsknk084sn02q',
      amount: '800',
      currency: 'EUR',
      description: 'Acme | Invoice 7',
    },
    {
      change: 'deleted',
      event: 'evt_01h455vb4pex5vsknk084sn02r',
      amount: '100',
      currency: 'EUR',
      description: null,
    },
  ],
  is_released: false,
};

const CLOSED = {
  currency: 'USD',
  expected: figures('1840.00', '-212.40', '-59.00', '1568.60'),
  confirmed: figures('1200.00', '-212.40', '-59.00', '928.60'),
  matched: figures('640.00', '0.00', '0.00', '640.00'),
  guessed: figures('80.00', '0.00', '0.00', '80.00'),
  unattributed: '310.00',
  total: '1958.60',
  unconverted: [],
  unattributed_unconverted: [],
  by_currency: [
    {
      currency: 'USD',
      confirmed: '928.60',
      matched: '640.00',
      guessed: '80.00',
      unattributed: '310.00',
      unconverted: '0.00',
      total: '1958.60',
    },
  ],
};

/** By the name of the schema. */
const FOLLOWER = {
  name: 'estimates',
  kind: 'projection',
  logs: [{ log: 'decisions', position: 4200, head: 4250, lag_records: 50, lag_seconds: 1.4 }],
  due: null,
  failures: 1,
  failed_records: [
    {
      log: 'decisions',
      seq: 4017,
      subject: null,
      reason: 'numeric field overflow',
      failed_at: '2026-04-16T09:30:00.000Z',
      retry_at: null,
    },
  ],
};

const INBOX = { queue: 'stripe-object', waiting: 3, lag_seconds: 0.8, failed: 0 };

const SUGGESTIONS = {
  name: 'suggestions',
  kind: 'recorder',
  logs: [],
  due: { waiting: 12, lag_seconds: 0.6 },
  failures: 0,
  failed_records: [],
};

export const HANDMADE = {
  SameMoneyPage: { reports: [], open: 0, open_amounts: [], next_cursor: null },
  ...OTLP_EXAMPLES,
  ...BUDGET_EXAMPLES,
  Alert: {
    type: 'jobs.backlog',
    mode: 'live',
    ledger: 'led_01h455vb4pex5vsknk084sn02q',
    time: '2026-04-16T09:30:00.000Z',
    data: { oldest_waiting_seconds: 312, threshold_seconds: 300 },
  },
  ConnectionState: {
    id: 'books',
    kind: 'hledger',
    polled_at: '2026-04-16T09:30:00.000Z',
    problem:
      'withheld: 2 deletions and 0 changes of recorded events (EUR 1840 to 940). If the books are right, release plan ' +
      '5d1c0e7a9b3f4c2688e1a0d4b7f36c95',
    problem_count: 0,
    withheld: WITHHELD,
    is_poll_pending: false,
  },
  WithheldPlan: WITHHELD,
  PlanRelease: { plan: WITHHELD.plan },
  FollowerLog: FOLLOWER.logs[0],
  FollowerDue: SUGGESTIONS.due,
  FollowerFailure: FOLLOWER.failed_records[0],
  Follower: FOLLOWER,
  FollowerList: { followers: [FOLLOWER, SUGGESTIONS], inbox: [INBOX] },
  PendingJobs: INBOX,
  DeadJob: {
    job_id: 'job_01h455vb4pex5vsknk084sn02q',
    queue: 'accounting.poll',
    data: { connection: 'books' },
    error: 'the server of the connection books did not answer within 10 seconds',
    tries: 5,
    created_at: '2026-04-16T09:00:00.000Z',
    failed_at: '2026-04-16T09:31:04.120Z',
  },
  DriftDetected: {
    id: '1c.9.4.q0T2mVZr5s8xK1aB',
    type: 'drift.detected',
    mode: 'live',
    time: '2026-04-16T03:00:00.000Z',
    seq: 12,
    data: {
      subject: 'liability',
      metric: 'loss_rate',
      agent_id: 'support-agent',
      version: '2026-04',
      direction: 'up',
      decisions: 64,
      losses: 9,
      expected_losses: 3.2,
    },
  },
  ExposureExceeded: {
    id: '1c.9.4.q0T2mVZr5s8xK1aC',
    type: 'exposure.exceeded',
    mode: 'live',
    time: '2026-04-16T09:30:00.000Z',
    seq: 13,
    data: { currency: 'EUR', open: '10412.80', threshold: '10000.00' },
  },
  UploadBody: {
    size: 20_971_520,
    sha256: '5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9',
    media_type: 'application/json',
  },
  Upload: {
    upload_id: 'upl_01h455vb4pex5vsknk084sn02q',
    size: 20_971_520,
    sha256: '5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9',
    media_type: 'application/json',
    offset: 1_048_576,
    chunk_bytes: 1_048_576,
    is_complete: false,
    expires_at: '2026-04-17T09:30:00.000Z',
  },
  ErasureBody: { fields: ['inputs'], reason: 'Request of the customer under GDPR, article 17' },
  Health: { status: 'ok' },
  IssuedKey: { key: 'dl_test_…' },
  LinkBody: {
    decision_id: 'dec_01h455vb4pex5vsknk084sn02q',
    financial_event_id: 'evt_01h455vb4pex5vsknk084sn02q',
    correlation_strength: 1,
    link_type: 'refund',
    attribution_method: 'direct',
  },
  LinkConfirmation: { strength: 0.8 },
  Meta: { request_id: 'req_01h455vb4pex5vsknk084sn02q', timestamp: '2026-04-16T09:30:00.000Z' },
  MonthPage: {
    months: [
      {
        month: '2026-03',
        closed_at: '2026-04-08T03:00:02.518Z',
        activity_seq: 211,
        activity_hash: '7d865e959b2466918c9863afca942d0fb89d7c9ac0c99bafc3749504ded97730',
        closed: CLOSED,
        restatements: [],
        current: CLOSED,
      },
    ],
    as_of: '2026-04-16T09:30:00.000Z',
    activity_seq: 230,
    next_cursor: null,
  },
  LinkRejection: {},
  OpenedSession: { token: 'lgs_test_…' },
  RefusedDecision: {
    index: 1,
    error: {
      code: 'validation_error',
      message: 'the request is not valid: see decisions[1].confidence',
      details: { fields: { 'decisions[1].confidence': ['must be a number from 0 to 1'] } },
    },
  },
  RetriedJob: { job_id: 'job_01h455vb4pex5vsknk084sn02q', queue: 'accounting.poll' },
  SettingsPatch: { attribution: { unsigned_sources: ['adyen'] }, exchange_rates: null },
  StreamTicket: { ticket: 'dlt_…' },
  WebhookReceipt: { status: 'accepted' },
  Log: {
    chain: 'decisions',
    generation: 1,
    origin: 'ledger.example.com/led_01h455vb4pex5vsknk084sn02q/decisions',
    verifier_key:
      'ledger.example.com/led_01h455vb4pex5vsknk084sn02q/decisions+f8e0319c+Af0XJDhaoMdbZPt4zWAvodmR/ev3axPFjtcC6sg16fYY',
    checkpoint: {
      size: 5,
      root: 'NBUVmC1lDiNSDb1U1/zwr6G3DMOhakEdRk3JwayWwwE=',
      signed_at: '2026-04-16T09:35:00.000Z',
    },
  },
  Consistency: {
    origin: 'ledger.example.com/led_01h455vb4pex5vsknk084sn02q/decisions',
    first: 3,
    second: 5,
    proof: [
      'qze6NNHf4pAV3nF6bVdkqPsCnDp6D1tkuTtUNRiFv3w=',
      'WL0UluFoSqySAcLmh+565PUclqiw2B7zWDYouT0800U=',
      '/F9riP+FVPdbsvnm85wxsZNtRLaSdu33sSBalVuXYeM=',
      'gxFfiUeVX6/cKifn9MCFS72Nonuxs+NAXbVxya+Nvho=',
    ],
  },
  PresentationBody: { fields: ['inputs'] },
  DecisionPresentation: {
    decision_id: 'dec_01h455vb4pex5vsknk084sn02q',
    seq: 3,
    hash: 'ab37ba34d1dfe29015de717a6d5764a8fb029c3a7a0f5b64b93b54351885bf7c',
    status: 'covered',
    presentation:
      '{\n  "format": "decision-ledger/presentation/v1",\n  "entry": "{…}",\n  "index": 2,\n  "path": [\n    "WL0UluFoSqySAcLmh+565PUclqiw2B7zWDYouT0800U="\n  ],\n  "checkpoint": "ledger.example.com/led_01h455vb4pex5vsknk084sn02q/decisions…",\n  "verifier_key": "ledger.example.com/led_01h455vb4pex5vsknk084sn02q/decisions+f8e0319c+…",\n  "disclosures": {\n    "inputs": "[…]"\n  },\n  "erasures": null\n}\n',
  },
  DecisionProof: {
    decision_id: 'dec_01h455vb4pex5vsknk084sn02q',
    seq: 3,
    hash: 'ab37ba34d1dfe29015de717a6d5764a8fb029c3a7a0f5b64b93b54351885bf7c',
    status: 'covered',
    verifier_key:
      'ledger.example.com/led_01h455vb4pex5vsknk084sn02q/decisions+f8e0319c+Af0XJDhaoMdbZPt4zWAvodmR/ev3axPFjtcC6sg16fYY',
    tlog_proof:
      'c2sp.org/tlog-proof@v1\nindex 2\nWL0UluFoSqySAcLmh+565PUclqiw2B7zWDYouT0800U=\n/F9riP+FVPdbsvnm85wxsZNtRLaSdu33sSBalVuXYeM=\ngxFfiUeVX6/cKifn9MCFS72Nonuxs+NAXbVxya+Nvho=\n\nledger.example.com/led_01h455vb4pex5vsknk084sn02q/decisions\n5\nNBUVmC1lDiNSDb1U1/zwr6G3DMOhakEdRk3JwayWwwE=\n\n— ledger.example.com/led_01h455vb4pex5vsknk084sn02q/decisions +OAxnNoenIKsWJvD+Kc1DpKOIF4pjsbLbcDM8TYu8gs0PCWrYYt4IbNJOTIg5Fu1jCe67dHMGqyny+ZRlaEGTwwgxw4=\n',
  },
};
