// Generated from the contract by scripts/client-types.js.

import type { MergePatch } from '../merge-patch.js';

export interface RateLimits {
  /** Single writes. */
  readonly ingest_per_second: number;
  /** POST /decisions/batch. */
  readonly batch_per_second: number;
  /** Reads. */
  readonly read_per_second: number;
  /** Requests of keys that have the permission `record` and not `ingest`. */
  readonly record_per_second: number;
  /** Stream handshakes, per IP. */
  readonly handshakes_per_minute: number;
  /** POST /exports. */
  readonly exports_per_hour: number;
}

export interface ExchangeRate {
  /** The source currency (ISO 4217). */
  readonly from: string;
  /** The target currency (ISO 4217), different from `from`. */
  readonly to: string;
  /** The first day on which the rate applies. As YYYY-MM-DD. */
  readonly date: string;
  /** The value of one unit of `from` in `to`: a decimal above zero, with at most 12 digits before and 12 after the point. */
  readonly rate: string;
}

export type AccountingConnection =
  | {
      /** Name of the connection, unique in the settings. */
      readonly id: string;
      readonly kind: 'hledger';
      /** Address of the hledger-web server. An http or https URL without user name and password. */
      readonly url: string;
      /** Only these accounts and their subaccounts. Default: the revenue and expense accounts. */
      readonly accounts?: readonly string[];
      /** The currency (ISO 4217) of each commodity that is no such code, such as {"kr": "SEK", "$": "AUD"}. */
      readonly commodities?: {
        readonly [name: string]: string;
      };
      /** Seconds between two polls. */
      readonly poll_seconds: number;
      /** What becomes of many deletions and changes that two polls found: wait until a person releases them, or apply them. */
      readonly large_changes: 'confirm' | 'apply';
    }
  | {
      /** Name of the connection, unique in the settings. */
      readonly id: string;
      readonly kind: 'quickbooks';
      /** ID of the company. */
      readonly realm_id: string;
      /** Client ID of the app. */
      readonly client_id: string;
      /** Secret. Client secret of the app. Shown as a mask. */
      readonly client_secret: string;
      /** Secret. The OAuth 2.0 refresh token. Shown as a mask. */
      readonly refresh_token: string;
      /** The environment of the company. */
      readonly environment: 'sandbox' | 'production';
      /** Address of the API. Default: that of the system. An http or https URL without user name and password. */
      readonly api_url?: string;
      /** Address of the token endpoint. Default: the address of Intuit. An http or https URL without user name and password. */
      readonly token_url?: string;
      /** Seconds between two polls. */
      readonly poll_seconds: number;
      /** What becomes of many deletions and changes that two polls found: wait until a person releases them, or apply them. */
      readonly large_changes: 'confirm' | 'apply';
    }
  | {
      /** Name of the connection, unique in the settings. */
      readonly id: string;
      readonly kind: 'stripe';
      /** Secret. Restricted API key of the account, which may only read. Shown as a mask. */
      readonly api_key: string;
      /** Address of the API. Default: that of the system. An http or https URL without user name and password. */
      readonly api_url?: string;
      /** Seconds between two polls. */
      readonly poll_seconds: number;
      /** What becomes of many deletions and changes that two polls found: wait until a person releases them, or apply them. */
      readonly large_changes: 'confirm' | 'apply';
    };

export interface LinkTypeRow {
  /** Only events of this source. */
  readonly source?: string;
  /** Whole words of the event type; all must occur, in any order. */
  readonly words: readonly string[];
  /** The kind of money that the decision moved. */
  readonly link_type: 'revenue' | 'cost' | 'loss' | 'refund' | 'saving';
  /** Whether money came back: a `cost`, `refund` or `loss` that is taken back, such as a dispute that was won. Only for these three. */
  readonly reversal?: boolean;
}

export interface AttributionSettings {
  /** Weights of the evidence. They sum to 1. */
  readonly weights: {
    /** How soon the event followed the decision. */
    readonly temporal: number;
    /** How much of their metadata agrees. */
    readonly metadata: number;
    /** What reviews said of the same agent and action. */
    readonly agent_pattern: number;
    /** How usual the amount is for the action type. */
    readonly amount: number;
  };
  /** Hours after which a decision is half as likely to be the cause. */
  readonly half_life_hours: number;
  /** Half-life in hours of individual action types. */
  readonly half_life_hours_by_action_type: {
    readonly [name: string]: number;
  };
  /** A link is suggested if its share of the event is at least this, */
  readonly suggest_share: number;
  /** or if its probability is at least this. */
  readonly suggest_probability: number;
  /** Guesses are suggested only for events whose cause is recorded with at least this probability. */
  readonly suggest_recorded: number;
  /** Suggest links that rest on timing and the agent alone. */
  readonly suggest_from_timing: boolean;
  /** IANA name. An event at midnight UTC or here is dated by its day alone. */
  readonly time_zone: string;
  /** Your own rows from event types to link types. They come before `default_link_types`; the first row that applies decides. */
  readonly link_types: readonly LinkTypeRow[];
  /** The rows that apply after your own. */
  readonly default_link_types: readonly LinkTypeRow[];
  /** Sources whose amounts have no meaningful sign. Their events count with the sign of the row that applies to their event type; without one, they count nothing. */
  readonly unsigned_sources: readonly string[];
  /** What the events of your sources mean. They come before `default_profiles`; of all profiles of a source, the first row that applies decides. */
  readonly profiles: readonly {
    /** A name for people. */
    readonly name: string;
    /** The source of events. A `*` at its end stands for any further characters. */
    readonly source: string;
    /** The first row that applies decides. An event that no row knows moved, and its kind follows from its link type. */
    readonly kinds?: readonly {
      /** Any one of them. `*` is every event type. */
      readonly event_types: readonly string[];
      /** Only events with this metadata. */
      readonly when?: {
        /** A member of the metadata. */
        readonly member: string;
        /** Its value, in any case. Without it: any value. */
        readonly value?: string;
      };
      /** What the money is for. recovery: of a dispute that was won. payout, transfer: between accounts of your own, conversions included; they count 0. other: nothing says, or the event is deleted. */
      readonly kind:
        | 'sale'
        | 'refund'
        | 'fee'
        | 'tax'
        | 'payout'
        | 'dispute'
        | 'recovery'
        | 'transfer'
        | 'cost'
        | 'other';
      /** Default: moved. */
      readonly state?: 'planned' | 'authorised' | 'moved' | 'void';
    }[];
    /** Events of both within 4 days are paired without a shared reference, where everything agrees. A source repeats itself only where it is named without `*`. */
    readonly repeats?: readonly string[];
    /** What references are read from: `external_id`, `description`, `metadata.` and the name of a member. Default: all of them. */
    readonly references?: readonly string[];
    /** When the money moved, where it is compared with that of other events. `timestamp` stays as it was recorded. */
    readonly clock?: {
      /** Of local times that are stated as if they were UTC: an IANA name, or an offset such as `+02:00`. */
      readonly time_zone?: string;
      /** Whether the source states days alone: the money moved at any time of the day that `timestamp` has in UTC, which is a day in `time_zone`, by default that of the settings of attribution. */
      readonly whole_days: boolean;
    };
    /** In what units objects of this source state amounts inside the payloads of decisions, for their exposure. The first row that applies decides, of all profiles. */
    readonly units?: readonly {
      /** Only in objects with this member, and in all that lies in them. */
      readonly when?: {
        /** A member of the object. */
        readonly member: string;
        /** Any one of them. Without them: any value. */
        readonly values?: readonly string[];
      };
      /** Any one of them. `*` is every key. */
      readonly keys: readonly string[];
      /** minor: in cents, or what the currency has instead. major: as written. */
      readonly unit: 'minor' | 'major';
    }[];
  }[];
  /** The profiles that apply after your own. */
  readonly default_profiles: readonly {
    /** A name for people. */
    readonly name: string;
    /** The source of events. A `*` at its end stands for any further characters. */
    readonly source: string;
    /** The first row that applies decides. An event that no row knows moved, and its kind follows from its link type. */
    readonly kinds?: readonly {
      /** Any one of them. `*` is every event type. */
      readonly event_types: readonly string[];
      /** Only events with this metadata. */
      readonly when?: {
        /** A member of the metadata. */
        readonly member: string;
        /** Its value, in any case. Without it: any value. */
        readonly value?: string;
      };
      /** What the money is for. recovery: of a dispute that was won. payout, transfer: between accounts of your own, conversions included; they count 0. other: nothing says, or the event is deleted. */
      readonly kind:
        | 'sale'
        | 'refund'
        | 'fee'
        | 'tax'
        | 'payout'
        | 'dispute'
        | 'recovery'
        | 'transfer'
        | 'cost'
        | 'other';
      /** Default: moved. */
      readonly state?: 'planned' | 'authorised' | 'moved' | 'void';
    }[];
    /** Events of both within 4 days are paired without a shared reference, where everything agrees. A source repeats itself only where it is named without `*`. */
    readonly repeats?: readonly string[];
    /** What references are read from: `external_id`, `description`, `metadata.` and the name of a member. Default: all of them. */
    readonly references?: readonly string[];
    /** When the money moved, where it is compared with that of other events. `timestamp` stays as it was recorded. */
    readonly clock?: {
      /** Of local times that are stated as if they were UTC: an IANA name, or an offset such as `+02:00`. */
      readonly time_zone?: string;
      /** Whether the source states days alone: the money moved at any time of the day that `timestamp` has in UTC, which is a day in `time_zone`, by default that of the settings of attribution. */
      readonly whole_days: boolean;
    };
    /** In what units objects of this source state amounts inside the payloads of decisions, for their exposure. The first row that applies decides, of all profiles. */
    readonly units?: readonly {
      /** Only in objects with this member, and in all that lies in them. */
      readonly when?: {
        /** A member of the object. */
        readonly member: string;
        /** Any one of them. Without them: any value. */
        readonly values?: readonly string[];
      };
      /** Any one of them. `*` is every key. */
      readonly keys: readonly string[];
      /** minor: in cents, or what the currency has instead. major: as written. */
      readonly unit: 'minor' | 'major';
    }[];
  }[];
}

export interface LiabilitySettings {
  /** Risk matrix: likelihood and severity of each action type. */
  readonly matrix: {
    readonly [name: string]: {
      /** How likely a loss is. */
      readonly likelihood: 'rare' | 'unlikely' | 'possible' | 'likely' | 'near_certain';
      /** How much is at risk. */
      readonly severity: 'minor' | 'moderate' | 'serious' | 'major' | 'critical';
    };
  };
  readonly default_cell: {
    /** Likelihood for action types that are not in the matrix. */
    readonly likelihood: 'rare' | 'unlikely' | 'possible' | 'likely' | 'near_certain';
    /** Severity for action types that are not in the matrix. */
    readonly severity: 'minor' | 'moderate' | 'serious' | 'major' | 'critical';
  };
  readonly likelihoods: {
    /** Probability of a loss rated rare. */
    readonly rare: number;
    /** Probability of a loss rated unlikely. */
    readonly unlikely: number;
    /** Probability of a loss rated possible. */
    readonly possible: number;
    /** Probability of a loss rated likely. */
    readonly likely: number;
    /** Probability of a loss rated near certain. */
    readonly near_certain: number;
  };
  readonly severities: {
    /** Amount at risk of a loss rated minor, in the base currency. A decimal of 0 or more. */
    readonly minor: string;
    /** Amount at risk of a loss rated moderate, in the base currency. A decimal of 0 or more. */
    readonly moderate: string;
    /** Amount at risk of a loss rated serious, in the base currency. A decimal of 0 or more. */
    readonly serious: string;
    /** Amount at risk of a loss rated major, in the base currency. A decimal of 0 or more. */
    readonly major: string;
    /** Amount at risk of a loss rated critical, in the base currency. A decimal of 0 or more. */
    readonly critical: string;
  };
  /** External loss rates. They take precedence over the likelihood of the matrix. */
  readonly benchmarks: {
    readonly [name: string]: {
      /** Share of decisions that cause a loss. */
      readonly loss_rate: number;
      /** Source of the rate. */
      readonly source: string;
      /** Date of the rate, at most a year in the future. As YYYY-MM-DD. */
      readonly as_of: string;
    };
  };
  /** Where decisions state what they approve or do, first match first. A path to an object searches it for keys that mean money. */
  readonly amount_paths: readonly string[];
  /** Where amounts stand that somebody asks for. They count where the step approves them. */
  readonly claim_paths: readonly string[];
  /** What words of keys mean, in small letters without accents. A `*` at the beginning or the end of a word stands for any further letters. */
  readonly amount_words: {
    /** Beside a word of money: the amount that was decided. */
    readonly approved: readonly string[];
    /** What somebody asks for, with all that lies in it. */
    readonly claimed: readonly string[];
    /** What bounds money, or was before: limits, balances, history. With all that lies in it, it is never at risk. */
    readonly read: readonly string[];
    /** Money: the sum of what lies beside it. */
    readonly total: readonly string[];
    /** Money. */
    readonly amount: readonly string[];
    /** Money: of one piece, if a quantity stands beside it. */
    readonly price: readonly string[];
    /** Money of one piece. */
    readonly unit: readonly string[];
    /** Money that comes with an amount: fees, taxes, tips, discounts. */
    readonly extra: readonly string[];
    /** Money where the key around it means money, or a currency stands beside it. */
    readonly value: readonly string[];
    /** How many pieces a price is for. */
    readonly quantity: readonly string[];
    /** The currency of the amounts beside it. */
    readonly currency: readonly string[];
    /** A key with such a word is no money. */
    readonly other: readonly string[];
  };
  /** What words of action types mean, written as those of `amount_words`. A whole action type may stand among them. */
  readonly action_words: {
    /** Steps that look up, ask or advise, by their first or last word: nothing of them is at risk. */
    readonly reads: readonly string[];
    /** Steps that approve or carry out what was claimed, by their first or last word. */
    readonly approves: readonly string[];
  };
  /** Paths of amounts in minor units (cents), besides keys that say so. */
  readonly minor_unit_paths: readonly string[];
  readonly outcomes: {
    /** Values that say how the action ended. */
    readonly values: readonly {
      /** What the values say. */
      readonly outcome: 'done' | 'failed' | 'denied' | 'unknown';
      /** Paths of values, such as `outputs.approved`. */
      readonly paths: readonly string[];
      /** Booleans, or texts that the whole value equals: upper case, spaces, hyphens and underscores make no difference. */
      readonly values: readonly (boolean | string)[];
      /** Not for actions whose type contains this text: `cancelled` is what a cancellation reports when it is done. */
      readonly unless_action?: string;
    }[];
    /** Paths of errors. One that is there says that the action failed: true, a text, an object or a list that is not empty. */
    readonly errors: readonly string[];
    /** Paths of HTTP statuses. One from 400 to 599 says that the action failed, but for 408 and 504, after which it may have been done all the same; one from 200 to 299, other than 202, that it was done. */
    readonly http_statuses: readonly string[];
    /** Paths of results that stand in the outputs. They are read as the outputs are; a JSON text of an object, and the only text of a list of contents, too. */
    readonly results: readonly string[];
  };
  /** Keys of metadata that together name the version of an agent. */
  readonly version_keys: readonly string[];
  /** Cost of handling a loss, in addition to the amount, in the base currency. A decimal of 0 or more. */
  readonly response_cost: string;
  /** What may still be lost in total, in the base currency, that is too much: without the losses so far. More of it is reported. Null: no threshold. A decimal. */
  readonly exposure_alert_threshold: string | null;
  /** Weight of the expected loss rate, as a number of observed decisions. */
  readonly credibility: number;
  /** Weight of the assumed loss sizes (the whole amount, on average), as a number of losses. */
  readonly severity_credibility: number;
  /** Minimum loss rate, as a share of the benchmark. 0: none. */
  readonly benchmark_floor: number;
  /** Spread of loss sizes: the standard deviation of their logarithm. */
  readonly severity_spread: number;
  readonly confidence: {
    /** Confidence that does not change the odds of a loss. */
    readonly neutral: number;
    /** The increase in confidence that halves the odds of a loss; the same decrease doubles them. */
    readonly halving: number;
    /** Lower limit of the factor that confidence applies to the odds, */
    readonly least: number;
    /** and its upper limit. */
    readonly most: number;
  };
  readonly oversight: {
    /** Factor on the odds of a loss for `human_in_loop` alone. */
    readonly human_in_loop: number;
    /** Factor for a decision with a `metadata.reviewer_id`; at most that of `human_in_loop`. */
    readonly reviewer: number;
  };
  /** Days after which a decision without a loss counts as successful. */
  readonly loss_maturity_days: number;
  /** `loss_maturity_days` of individual action types. */
  readonly loss_maturity_days_by_action_type: {
    readonly [name: string]: number;
  };
  /** Days after which no further loss of a decision is expected. */
  readonly loss_horizon_days: number;
  /** `loss_horizon_days` of individual action types. */
  readonly loss_horizon_days_by_action_type: {
    readonly [name: string]: number;
  };
}

export interface StripeSettings {
  /** An event is accepted if one of these secrets signed it. */
  readonly signing_secrets: readonly string[];
}

export interface AlertSettings {
  /** Where alerts are sent. Null: no alerts are sent. */
  readonly url: string | null;
  /** The secret that signs the alerts (Standard Webhooks): `whsec_` and the base64 of 24 to 64 bytes. */
  readonly secret: string | null;
  /** How many seconds background work may wait before an alert is sent. */
  readonly backlog_seconds: number;
}

export interface Budget {
  /** Name of the budget, unique in the settings. */
  readonly id: string;
  /** loss and refunds: net of what was reversed, of confirmed and matched links, by the times of the events. running_cost: what decisions cost to make, by their own times. open_exposure: what may still be lost. */
  readonly measure: 'loss' | 'refunds' | 'running_cost' | 'open_exposure';
  /** The day or the month, UTC, whose sum is limited. Not for open_exposure. */
  readonly period?: 'day' | 'month';
  /** Only decisions of this agent. Default: all agents. */
  readonly agent_id?: string;
  /** Only this action type. Default: all of them. */
  readonly action_type?: string;
  /** The budget, in the base currency. A decimal of 0 or more. */
  readonly amount: string;
}

export interface AnalyticsSettings {
  /** The member of the metadata that names the customer: that of the event, else that of the decision. */
  readonly customer_key: string;
  /** Days after the end of a month (UTC) until its figures are closed. */
  readonly close_after_days: number;
}

export interface StreamSettings {
  /** Maximum number of open stream connections per process, shared by both modes. */
  readonly max_connections: number;
}

export interface TransparencySettings {
  /** The first part of the origin of the logs, such as a host name. It applies when the logs are started, and does not change their origin later. */
  readonly name: string;
  /** How often checkpoints are signed if anything was recorded, in seconds. */
  readonly interval_seconds: number;
  /** What anybody may read without a key: `none`, or `tree`: checkpoints, the hashes of the tree and consistency proofs. Entries need a key in either case. */
  readonly public: 'none' | 'tree';
}

export interface OtlpRule {
  /** The value of `gen_ai.operation.name`. */
  readonly operation?: string;
  /** The name of the span. A `*` at its end matches any rest. */
  readonly span_name?: string;
  /** The name of the instrumentation scope. A `*` at its end matches any rest. */
  readonly scope?: string;
  /** A place where the span must have a value. */
  readonly attribute?: string;
  /** The value of `attribute`, as text. Default: any. */
  readonly value?: string;
  /** Whether a span is a decision that has neither inputs nor outputs nor an error, as instrumentations send them that do not capture content. */
  readonly without_content: boolean;
  /** In this order, the first that is present: an attribute of the span, `resource:` and an attribute of its resource, `event:`, the name of an event, `:` and an attribute of the last such event, `scope:name` or `span:name`. After it, `#` and a JSON pointer such as `#/order/id` lead into an object or a JSON text; or `fixed:` and a text. */
  readonly agent_id: readonly string[];
  /** In this order, the first that is present: an attribute of the span, `resource:` and an attribute of its resource, `event:`, the name of an event, `:` and an attribute of the last such event, `scope:name` or `span:name`. After it, `#` and a JSON pointer such as `#/order/id` lead into an object or a JSON text; or `fixed:` and a text. */
  readonly action_type: readonly string[];
  /** Places of values: an attribute of the span, `resource:` and an attribute of its resource, `event:`, the name of an event, `:` and an attribute of the last such event, `scope:name` or `span:name`. After it, `#` and a JSON pointer such as `#/order/id` lead into an object or a JSON text. Of several that are joined by ` | `, the first that is present is read. An object, or a JSON text of one, is taken as it is if one entry is listed; anything else stands under the name of the first attribute of its entry. */
  readonly inputs: readonly string[];
  /** Places of values: an attribute of the span, `resource:` and an attribute of its resource, `event:`, the name of an event, `:` and an attribute of the last such event, `scope:name` or `span:name`. After it, `#` and a JSON pointer such as `#/order/id` lead into an object or a JSON text. Of several that are joined by ` | `, the first that is present is read. An object, or a JSON text of one, is taken as it is if one entry is listed; anything else stands under the name of the first attribute of its entry. */
  readonly outputs: readonly string[];
  /** In this order, the first that is present: a place as for `agent_id`, `argument:` and the path of a number in the inputs, `evaluation:` and the name of an evaluation whose score is in an event of the span or on it, or `fixed:` and a number from 0 to 1. A span without any is refused. */
  readonly confidence: readonly string[];
  /** Attributes of the span. The first that is present says whether a person took part. */
  readonly human_in_loop: readonly string[];
  /** Members of the metadata, with where each is read from. */
  readonly metadata: {
    readonly [name: string]: string;
  };
}

export interface OtlpSettings {
  /** The version of this mapping, which each decision names. Raise it with every change of the mapping. */
  readonly version: number;
  /** Rules for tool calls that are applied after `rules`. `gen_ai_1.45`: the GenAI semantic conventions 1.45 and earlier ones; the others: one instrumentation each; `detect_1`: all of them, by what arrives. Spans are not accepted while this is `none` and `rules` is empty. */
  readonly preset:
    | 'none'
    | 'gen_ai_1.45'
    | 'openinference_1'
    | 'openllmetry_1'
    | 'ai_sdk_1'
    | 'langfuse_1'
    | 'logfire_1'
    | 'mastra_1'
    | 'detect_1';
  /** The first rule whose conditions all hold applies to a span. */
  readonly rules: readonly OtlpRule[];
  /** Paths of values that are replaced by `[masked]` before anything is stored; `*` stands for any name or element. */
  readonly mask: readonly string[];
}

export interface RecordingSettings {
  /** How far, in seconds, the `timestamp` of a decision may lie before its recording: from 86400 (24 hours) to 315360000. Null: any distance. */
  readonly max_lateness_seconds: number | null;
  /** The largest upload, in bytes: what stands for inputs or outputs that are too large for a request. At most 67108864. */
  readonly max_upload_bytes: number;
}

export interface ExposureChange {
  /** Decisions, of which `changed` would have another exposure. */
  readonly decisions: number;
  /** Decisions whose exposure would change by a minor unit or more. */
  readonly changed: number;
  /** With the current settings. A decimal. */
  readonly exposure_before: string;
  /** With the settings of the request. A decimal. */
  readonly exposure_after: string;
}

export interface SettingsAnswer {
  readonly rate_limits: RateLimits;
  /** The currency of totals (ISO 4217). */
  readonly base_currency: string;
  /** Exchange rates, at most one per currency pair and day. */
  readonly exchange_rates: readonly ExchangeRate[];
  /** Prices of models from a day on, for decisions that state tokens but no cost. */
  readonly model_prices: readonly {
    /** The model, as `metadata.model` of decisions names it. */
    readonly model: string;
    /** The first day (UTC) on which the price applies, until the next one of the model. As YYYY-MM-DD. */
    readonly from: string;
    /** The currency of the prices (ISO 4217). */
    readonly currency: string;
    /** A million input tokens. A decimal of 0 or more. */
    readonly input: string;
    /** A million input tokens that were cached. Default: as much as others. A decimal of 0 or more. */
    readonly cached_input?: string;
    /** A million output tokens. A decimal of 0 or more. */
    readonly output: string;
  }[];
  readonly stripe: StripeSettings;
  /** Accounting systems that are polled. */
  readonly accounting: readonly AccountingConnection[];
  readonly alerts: AlertSettings;
  /** What agents may lose, refund or put at risk. It is reported and never enforced: at 80 and at 100 %, once in a period. */
  readonly budgets: readonly Budget[];
  readonly attribution: AttributionSettings;
  readonly liability: LiabilitySettings;
  readonly analytics: AnalyticsSettings;
  readonly stream: StreamSettings;
  readonly transparency: TransparencySettings;
  readonly otlp: OtlpSettings;
  readonly recording: RecordingSettings;
  readonly cors: {
    /** Origins whose pages may record decisions with `POST /decisions` and its batch. It does not protect a key that was stolen: programs send any origin. */
    readonly origins: readonly string[];
  };
}

export interface SettingsPatch {
  readonly rate_limits?: MergePatch<RateLimits> | null;
  /** The currency of totals (ISO 4217). */
  readonly base_currency?: string | null;
  /** Exchange rates, at most one per currency pair and day. */
  readonly exchange_rates?: readonly ExchangeRate[] | null;
  /** Prices of models from a day on, for decisions that state tokens but no cost. */
  readonly model_prices?:
    | readonly {
        /** The model, as `metadata.model` of decisions names it. */
        readonly model: string;
        /** The first day (UTC) on which the price applies, until the next one of the model. As YYYY-MM-DD. */
        readonly from: string;
        /** The currency of the prices (ISO 4217). */
        readonly currency: string;
        /** A million input tokens. A decimal of 0 or more. */
        readonly input: string;
        /** A million input tokens that were cached. Default: as much as others. A decimal of 0 or more. */
        readonly cached_input?: string;
        /** A million output tokens. A decimal of 0 or more. */
        readonly output: string;
      }[]
    | null;
  readonly stripe?: MergePatch<StripeSettings> | null;
  /** Accounting systems that are polled. */
  readonly accounting?:
    | readonly (
        | {
            /** Name of the connection, unique in the settings. */
            readonly id: string;
            readonly kind: 'hledger';
            /** Address of the hledger-web server. An http or https URL without user name and password. */
            readonly url: string;
            /** Only these accounts and their subaccounts. Default: the revenue and expense accounts. */
            readonly accounts?: readonly string[];
            /** The currency (ISO 4217) of each commodity that is no such code, such as {"kr": "SEK", "$": "AUD"}. */
            readonly commodities?: {
              readonly [name: string]: string;
            };
            /** Seconds between two polls. */
            readonly poll_seconds?: number;
            /** What becomes of many deletions and changes that two polls found: wait until a person releases them, or apply them. */
            readonly large_changes?: 'confirm' | 'apply';
          }
        | {
            /** Name of the connection, unique in the settings. */
            readonly id: string;
            readonly kind: 'quickbooks';
            /** ID of the company. */
            readonly realm_id: string;
            /** Client ID of the app. */
            readonly client_id: string;
            /** Secret. Client secret of the app. */
            readonly client_secret: string;
            /** Secret. The OAuth 2.0 refresh token. */
            readonly refresh_token: string;
            /** The environment of the company. */
            readonly environment: 'sandbox' | 'production';
            /** Address of the API. Default: that of the system. An http or https URL without user name and password. */
            readonly api_url?: string;
            /** Address of the token endpoint. Default: the address of Intuit. An http or https URL without user name and password. */
            readonly token_url?: string;
            /** Seconds between two polls. */
            readonly poll_seconds?: number;
            /** What becomes of many deletions and changes that two polls found: wait until a person releases them, or apply them. */
            readonly large_changes?: 'confirm' | 'apply';
          }
        | {
            /** Name of the connection, unique in the settings. */
            readonly id: string;
            readonly kind: 'stripe';
            /** Secret. Restricted API key of the account, which may only read. */
            readonly api_key: string;
            /** Address of the API. Default: that of the system. An http or https URL without user name and password. */
            readonly api_url?: string;
            /** Seconds between two polls. */
            readonly poll_seconds?: number;
            /** What becomes of many deletions and changes that two polls found: wait until a person releases them, or apply them. */
            readonly large_changes?: 'confirm' | 'apply';
          }
      )[]
    | null;
  readonly alerts?: MergePatch<AlertSettings> | null;
  /** What agents may lose, refund or put at risk. It is reported and never enforced: at 80 and at 100 %, once in a period. */
  readonly budgets?: readonly Budget[] | null;
  readonly attribution?: MergePatch<AttributionSettings> | null;
  readonly liability?: MergePatch<LiabilitySettings> | null;
  readonly analytics?: MergePatch<AnalyticsSettings> | null;
  readonly stream?: MergePatch<StreamSettings> | null;
  readonly transparency?: MergePatch<TransparencySettings> | null;
  readonly otlp?: {
    /** The version of this mapping, which each decision names. Raise it with every change of the mapping. */
    readonly version?: number | null;
    /** Rules for tool calls that are applied after `rules`. `gen_ai_1.45`: the GenAI semantic conventions 1.45 and earlier ones; the others: one instrumentation each; `detect_1`: all of them, by what arrives. Spans are not accepted while this is `none` and `rules` is empty. */
    readonly preset?:
      | 'none'
      | 'gen_ai_1.45'
      | 'openinference_1'
      | 'openllmetry_1'
      | 'ai_sdk_1'
      | 'langfuse_1'
      | 'logfire_1'
      | 'mastra_1'
      | 'detect_1'
      | null;
    /** The first rule whose conditions all hold applies to a span. */
    readonly rules?:
      | readonly {
          /** The value of `gen_ai.operation.name`. */
          readonly operation?: string;
          /** The name of the span. A `*` at its end matches any rest. */
          readonly span_name?: string;
          /** The name of the instrumentation scope. A `*` at its end matches any rest. */
          readonly scope?: string;
          /** A place where the span must have a value. */
          readonly attribute?: string;
          /** The value of `attribute`, as text. Default: any. */
          readonly value?: string;
          /** Whether a span is a decision that has neither inputs nor outputs nor an error, as instrumentations send them that do not capture content. */
          readonly without_content?: boolean;
          /** In this order, the first that is present: an attribute of the span, `resource:` and an attribute of its resource, `event:`, the name of an event, `:` and an attribute of the last such event, `scope:name` or `span:name`. After it, `#` and a JSON pointer such as `#/order/id` lead into an object or a JSON text; or `fixed:` and a text. */
          readonly agent_id?: readonly string[];
          /** In this order, the first that is present: an attribute of the span, `resource:` and an attribute of its resource, `event:`, the name of an event, `:` and an attribute of the last such event, `scope:name` or `span:name`. After it, `#` and a JSON pointer such as `#/order/id` lead into an object or a JSON text; or `fixed:` and a text. */
          readonly action_type?: readonly string[];
          /** Places of values: an attribute of the span, `resource:` and an attribute of its resource, `event:`, the name of an event, `:` and an attribute of the last such event, `scope:name` or `span:name`. After it, `#` and a JSON pointer such as `#/order/id` lead into an object or a JSON text. Of several that are joined by ` | `, the first that is present is read. An object, or a JSON text of one, is taken as it is if one entry is listed; anything else stands under the name of the first attribute of its entry. */
          readonly inputs?: readonly string[];
          /** Places of values: an attribute of the span, `resource:` and an attribute of its resource, `event:`, the name of an event, `:` and an attribute of the last such event, `scope:name` or `span:name`. After it, `#` and a JSON pointer such as `#/order/id` lead into an object or a JSON text. Of several that are joined by ` | `, the first that is present is read. An object, or a JSON text of one, is taken as it is if one entry is listed; anything else stands under the name of the first attribute of its entry. */
          readonly outputs?: readonly string[];
          /** In this order, the first that is present: a place as for `agent_id`, `argument:` and the path of a number in the inputs, `evaluation:` and the name of an evaluation whose score is in an event of the span or on it, or `fixed:` and a number from 0 to 1. A span without any is refused. */
          readonly confidence?: readonly string[];
          /** Attributes of the span. The first that is present says whether a person took part. */
          readonly human_in_loop?: readonly string[];
          /** Members of the metadata, with where each is read from. */
          readonly metadata?: {
            readonly [name: string]: string;
          };
        }[]
      | null;
    /** Paths of values that are replaced by `[masked]` before anything is stored; `*` stands for any name or element. */
    readonly mask?: readonly string[] | null;
  } | null;
  readonly recording?: MergePatch<RecordingSettings> | null;
  readonly cors?: {
    /** Origins whose pages may record decisions with `POST /decisions` and its batch. It does not protect a key that was stolen: programs send any origin. */
    readonly origins?: readonly string[] | null;
  } | null;
}

export interface SettingsChange extends SettingsAnswer {
  /** Only with dry_run=true. */
  readonly dry_run?: ExposureChange & {
    /** The currency of exposure_before. */
    readonly currency_before: string;
    /** The currency of exposure_after. */
    readonly currency_after: string;
    /** Decisions that were estimated. Fewer than `decisions`: an even sample, extrapolated. */
    readonly examined: number;
    /** The largest changes of the exposure first, at most 200 action types. */
    readonly by_action_type: readonly (ExposureChange & {
      readonly action_type: string;
    })[];
    /** What link types, signs and profiles would do to the last events, and with which others rules would pair them. */
    readonly money: {
      /** Events that were counted with both settings: the last 1,000, and all of the movements that would change. */
      readonly examined: number;
      /** Events that would count otherwise, or report the same money as others. */
      readonly changed: number;
      /** All examined events, by standing and kind. */
      readonly lines: readonly {
        /** Whether the event counts, and if not, why. counted_once: another event of its movement counts. between_own_accounts: a payout or transfer. planned, authorised, void: nothing moved. unclassified: of a source without signs, and nothing says in which direction it moved. */
        readonly standing:
          | 'counted'
          | 'counted_once'
          | 'planned'
          | 'authorised'
          | 'void'
          | 'between_own_accounts'
          | 'unclassified'
          | 'deleted';
        /** What the money is for. recovery: of a dispute that was won. payout, transfer: between accounts of your own, conversions included; they count 0. other: nothing says, or the event is deleted. */
        readonly kind:
          | 'sale'
          | 'refund'
          | 'fee'
          | 'tax'
          | 'payout'
          | 'dispute'
          | 'recovery'
          | 'transfer'
          | 'cost'
          | 'other';
        readonly currency: string;
        /** Events with this standing and kind now. */
        readonly events_before: number;
        /** Events with them after the change. */
        readonly events_after: number;
        /** The sum of their amounts now, with their signs. A decimal. */
        readonly amount_before: string;
        /** The sum of their amounts after the change. A decimal. */
        readonly amount_after: string;
      }[];
      /** At most 20 of the changed events. */
      readonly examples: readonly {
        readonly financial_event_id: string;
        readonly source: string;
        readonly event_type: string;
        /** As recorded. A decimal. */
        readonly amount: string;
        readonly currency: string;
        /** What the money is for. recovery: of a dispute that was won. payout, transfer: between accounts of your own, conversions included; they count 0. other: nothing says, or the event is deleted. */
        readonly kind_before:
          | 'sale'
          | 'refund'
          | 'fee'
          | 'tax'
          | 'payout'
          | 'dispute'
          | 'recovery'
          | 'transfer'
          | 'cost'
          | 'other';
        /** What the money is for. recovery: of a dispute that was won. payout, transfer: between accounts of your own, conversions included; they count 0. other: nothing says, or the event is deleted. */
        readonly kind_after:
          | 'sale'
          | 'refund'
          | 'fee'
          | 'tax'
          | 'payout'
          | 'dispute'
          | 'recovery'
          | 'transfer'
          | 'cost'
          | 'other';
        /** Whether the event counts, and if not, why. counted_once: another event of its movement counts. between_own_accounts: a payout or transfer. planned, authorised, void: nothing moved. unclassified: of a source without signs, and nothing says in which direction it moved. */
        readonly standing_before:
          | 'counted'
          | 'counted_once'
          | 'planned'
          | 'authorised'
          | 'void'
          | 'between_own_accounts'
          | 'unclassified'
          | 'deleted';
        /** Whether the event counts, and if not, why. counted_once: another event of its movement counts. between_own_accounts: a payout or transfer. planned, authorised, void: nothing moved. unclassified: of a source without signs, and nothing says in which direction it moved. */
        readonly standing_after:
          | 'counted'
          | 'counted_once'
          | 'planned'
          | 'authorised'
          | 'void'
          | 'between_own_accounts'
          | 'unclassified'
          | 'deleted';
        /** What it counts now, with its sign. A decimal. */
        readonly counted_before: string;
        /** What it would count. A decimal. */
        readonly counted_after: string;
        readonly movement_before: {
          readonly lead: string;
          /** All events of the movement. */
          readonly reports: readonly string[];
        };
        readonly movement_after: {
          readonly lead: string;
          /** All events of the movement. */
          readonly reports: readonly string[];
        };
      }[];
    };
  };
}
