/**
 * What an operation guarantees beyond its summary and its schemas, by `operationId`. Markdown, because
 * generators of documentation render it.
 */
export const GUARANTEES: Readonly<Record<string, string>> = {
  recordDecision:
    'Answers once the decision is on disk. With the header `Prefer: receipt=signed` the answer also has a signed receipt; ' +
    'if the receipt cannot be signed, the decision is recorded without one.',
  recordDecisions:
    'The decisions are recorded in the given order, or none of them. A decision with an `idempotency_key` that was recorded ' +
    'before is answered with its first receipt and `replayed: true`. If one key was used with other content, nothing is ' +
    'recorded, and `details.fields` names each such decision. A batch counts as one request. With the header ' +
    '`Prefer: handling=lenient`, a decision that is refused does not affect the others: `refused` names it by its `index`, ' +
    'with the error that it would have had alone. If all are refused, the answer is the error of the first one, with those ' +
    'of all in `details.refused`.',
  createUpload:
    'For inputs or outputs of more than 256 KiB. Send the bytes in chunks with PATCH, then record the decision with ' +
    '`{"$upload": "<upload_id>"}` in place of the field. An upload belongs to the ledger of the key, is taken by one field of ' +
    'one decision, and is deleted after a day if none takes it. At most 256 MiB wait at a time.',
  appendToUpload:
    'Every chunk but the last has exactly `chunk_bytes` bytes. A chunk that does not begin where the bytes that have arrived ' +
    'end is refused with 409: after an interruption, ask with GET for the `offset`. The last chunk is refused with 422 if all ' +
    'bytes do not have the digest.',
  downloadUpload:
    'The bytes as they were sent. `Range` with one range of bytes is supported. The header `Repr-Digest` is the digest of all ' +
    'bytes, which the field of the decision states, too.',
  listDecisions:
    'Ordered by `timestamp`, then id. A decision must match all filters. `metadata.<key>=value` matches that string, and the ' +
    'number, boolean or null with that JSON text; quote the value to match the string alone (`metadata.trial="0"`). Only ' +
    'top-level members whose value is not an object or an array are searched.',
  eraseDecisionFields:
    'The decision keeps its position, hash and commitments, so the chain still verifies. The `reason` is kept for good and ' +
    'appears in evidence bundles: do not repeat erased data in it. Erasing a field again changes nothing.',
  verifyDecisionChain:
    'A broken chain is answered with 200 and `is_valid: false`. With dates, only that part of the chain is checked. ' +
    'Identical concurrent requests share one walk; a ledger has at most two walks at a time, and a third request gets 503.',
  listLiabilityEstimates: 'The first estimate in the list is the current one.',
  search:
    'A value must be equal as a whole; an amount is found whatever its sign; `text` means that all words of `q` occur in the ' +
    'description or `external_id` of an event. Deleted events are found, erased values are not. A page looks at no more than ' +
    '200 records, so it may be empty although more follow: continue until `next_cursor` is null. Decisions are found under ' +
    'the 100 most frequent keys of metadata, and under other keys by values that look like identifiers, once attribution has ' +
    'read them.',
  getPnl:
    'Money counts by the time of its event, decisions and exposure by the time of the decision. Deleted events and links ' +
    'never count. Amounts in other currencies are converted with the latest rate dated on or before the day of the event. ' +
    'Printed parts add up to the printed total.',
  listPnlRows:
    'Oldest first. The rows sum to the figure exactly. Money without a link has no agent and no action type: such a figure ' +
    'with those filters is refused. `sum` is null on all pages but the first.',
  listClosedMonths:
    'Latest first. Each month has its figures as closed, every restatement since, and its figures now. The reasons of a ' +
    'restatement sum to each of its changes exactly.',
  getTimeline:
    'Empty buckets are absent. If the range cuts a bucket, only the part within the range counts. More than 10,000 rows are ' +
    'refused.',
  listAgents:
    'Agents that decided, or whose decisions moved money, in the range. An agent whose exposure changes between two pages ' +
    'may appear twice or not at all.',
  getAttributionQuality: 'The figures are null until 30 audits are answered.',
  getAttributionModel:
    'The weights and everything learned, as canonical JSON with its SHA-256: what recomputes the score of a suggested link.',
  getExposure:
    'Percentiles use a seed from the ledger and the day (UTC), so the same decisions have the same percentiles all day. ' +
    'Answers 503 while estimates are in two currencies, and while too many of these analyses wait.',
  listExposureRows:
    'Oldest first. The rows sum to the figure exactly. `sum` is null on all pages but the first. Answers 503 while estimates ' +
    'are in two currencies.',
  getExperiment:
    'Compares the matured decisions of each arm with those of `comparison`. `reasons` say why arms are not compared, ' +
    '`warnings` what makes a comparison doubtful. Answers 503 while too many analyses wait.',
  verifyActivityChain:
    'A broken chain is answered with 200 and `is_valid: false`, which speaks of the chain alone. `reconciliation` compares ' +
    'the tables with the chain; it is null with a range and for a broken chain.',
  getLastVerification:
    'Each is null until that whole chain was verified through the API. Verifications of a range do not count, nor do those ' +
    'that failed at an anchor.',
  issueKey: 'The key has the mode of the key that issues it, and at most its permissions.',
  revokeKey:
    'The process that answers refuses the key at once, others within a second. Revoking it again changes nothing.',
  listSessions:
    'Without `admin`, a key sees the sessions that it opened, and a session sees itself.',
  openSession:
    'A session lasts eight hours, has at most the permissions of the key that opened it, and ends with that key. A session ' +
    'cannot open another one. The service stores only a hash of the token.',
  revokeSession:
    'The process that answers refuses the token at once, others within a second. Open streams are closed.',
  getSettings: 'Secrets are masked. The `ETag` identifies this state of the settings.',
  changeSettings:
    'The patch applies as a whole or not at all: named settings change, null resets one to its default, arrays are replaced, ' +
    'and a mask that is sent back keeps its secret. With `If-Match` it applies only if nothing has changed since. ' +
    '`rate_limits` and `stream` apply to live and test data, and need a live key. With `dry_run=true` nothing changes, and ' +
    'the answer has the exposure before and after; above 20,000 decisions it is estimated from a sample.',
  recordFinancialEvent:
    'Amounts are decimal text from your point of view: + is incoming, − is outgoing. Without an `Idempotency-Key`, the same ' +
    'body sent twice makes two events.',
  listFinancialEvents:
    'Ordered by `timestamp`, then id. Deleted and superseded events are hidden unless `include_deleted=true`.',
  listSameMoney:
    'Each possibility is listed for both of its events. It leaves the list once somebody pairs or parts them, or another ' +
    'report makes it certain.',
  pairReports:
    'All events of both movements are one movement then. The one that leads counts: a processor before your own sources, these ' +
    'before accounting, then the earliest. Links keep naming their event and share the amount of the movement. It holds until ' +
    'somebody parts the events.',
  partReport:
    'The event is a movement by itself then, with its own links, and no rule pairs it with the others again. Pair them to undo ' +
    'that. With `from`, an event of another movement, the movements stay as they are, and no rule pairs the two; what is left ' +
    'may be certain then, and is paired.',
  withdrawSameMoney:
    'What was said last of the two no longer holds, and rules decide again at once: the events may be paired, parted or in ' +
    'doubt. The records of what was said and taken back stay.',
  deleteFinancialEvent: 'The links of the event do not change. Deleting it again changes nothing.',
  receiveStripeEvent:
    'Stripe cannot send headers, so a key whose only permission is `webhook` may be the query parameter `key`. The signature ' +
    'is checked over the bytes of the body before they are parsed. Answers once the event is on disk.',
  createLink:
    'Suggestions of the event that no longer fit are deleted; that is not a rejection. Strengths that people give may sum to ' +
    'more than 1: the money is then shared in proportion.',
  listLinks:
    'With `status=ML_SUGGESTED`, the links whose review would teach most come first: the most uncertain ones with the most ' +
    'money. Pages neither skip nor repeat suggestions while others are reviewed.',
  deleteLink:
    'Withdraws what the model learned from the link; a rejected link may then be suggested again. Deleting an open ' +
    'suggestion teaches nothing: reject wrong ones instead. Deleting it again changes nothing.',
  confirmLink:
    'The link becomes `ML_INFERRED`. Without `strength` it gets the share that no confirmed link has claimed. Suggestions of ' +
    'the event that no longer fit are deleted; that is not a rejection.',
  rejectLink:
    'The link becomes `REJECTED` and is deleted. The pair is not suggested again until the rejection is withdrawn by ' +
    'deleting the link.',
  listReviews:
    'An audit shows no shares, labels or evidence, so that its answer is independent: its candidates are in the order of time.',
  listGivenAnswers:
    'Answers that stand: reviews, audits, and links made in a session. Deleting the links in `links` takes an answer back.',
  answerReview:
    'The body has exactly one of `decision_id`, `none` and `skip`. A cause confirms its suggested link or makes a link. ' +
    '`none` rejects the suggestions of the event. The model learns nothing from `skip`.',
  withdrawReview:
    'The event is open again at once. Rejected links stay rejected until each is deleted.',
  requestExport:
    'An export runs in the background: request it, poll it, download it. An organisation may request one an hour; failed ' +
    'exports and refused requests do not count. An attempt that fails continues where it stopped, up to six times. An export ' +
    'that no worker completes within a day fails. The file ' +
    'is deleted 24 hours after completion, and at once when a field that it may contain is erased.',
  getExport:
    'Once the export is complete, the answer has a new `download_url`, which needs no key for 15 minutes.',
  downloadExport:
    'The query parameters are those of `download_url`; they replace the key. The activity chain records each download before ' +
    'its first byte. A link ends with the key that requested it. `Repr-Digest` has the SHA-256 of the file.',
  listExportCustody:
    'The records of the activity chain about this export: its request, its completion and each download. In `data` of a ' +
    'download, `through` is `credential`, or `link` if it was a `download_url`.',
  listSigningKeys:
    'Empty before the first export. An auditor must learn the fingerprint from another source than the archive.',
  getLog: 'Not found before the first checkpoint of the log.',
  getTile:
    'C2SP tlog-tiles, as bytes without an envelope. `path` is the level (or `entries`), the index in groups of three digits, ' +
    'and the width of a partial tile: `0/x001/234`, `1/000.p/17`. Tiles beyond the last checkpoint are not found.',
  getConsistency:
    'RFC 9162, section 2.1.4. `second` is at most the size of the last checkpoint. `proof` is empty if `first` is 0 or ' +
    'equals `second`.',
  getPublicCheckpoint:
    'Only if the setting `transparency.public` of the ledger is `tree`. 600 requests a minute for each address.',
  presentDecision:
    'The file shows the chosen fields and proves that the decision is in the log. An erased field is shown by the record of ' +
    'its erasure. A 202 records nothing.',
  retryJob: 'The job gets all its attempts again and leaves the list.',
  pollAccountingConnection:
    'Polls regardless of the schedule, and ends the delay after a failed attempt. A poll that waits is not queued twice; a ' +
    'running one is followed by one more.',
  releaseAccountingPlan:
    'The next poll that finds the plan, or a part of it, applies it in the name of the caller. It is queued at once. A ' +
    'poll that finds anything else withholds that instead, and a plan that is no longer withheld is answered with 409.',
  issueStreamTicket:
    'For browsers, which cannot send the header. The ticket ends with the key that requested it. Each request makes a new one.',
  openStream: 'The messages are described in /asyncapi.json.',
  exportMetrics:
    'Metrics are counted and dropped, so that exporters need no other address for them.',
  exportLogs: 'Logs are counted and dropped, so that exporters need no other address for them.',
  exportTraces:
    'The setting `otlp` decides which spans are decisions; other spans are accepted and not stored. Protobuf or JSON, ' +
    'uncompressed or with gzip; the answer has the encoding of the request. `partialSuccess` counts refused spans; with ' +
    '0 of them, it says why nothing was recorded. Each ' +
    'decision counts as a write: if the limit admits only some, those are recorded, and the answer is 429. Send the request ' +
    'again to record the rest; a span is recorded once.',
};
