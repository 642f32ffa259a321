import sys

from ledger.api.decisions import get_decision, list_decisions, record_decision, record_decisions
from ledger.client import AuthenticatedClient
from ledger.models import (
    BatchDecision,
    BatchDecisionInputs,
    BatchDecisionOutputs,
    DecisionBatchBody,
    DecisionBody,
    DecisionBodyInputs,
    DecisionBodyOutputs,
    GetDecisionResponse200,
    ListDecisionsResponse200,
    RecordDecisionResponse201,
    RecordDecisionsResponse201,
    ValidationError,
)
from ledger.models.decision_page import DecisionPage
from ledger.types import Unset


def decision(confidence: float) -> DecisionBody:
    return DecisionBody(
        agent_id="refund-bot",
        action_type="refund",
        inputs=DecisionBodyInputs.from_dict({"order_id": "A-1"}),
        outputs=DecisionBodyOutputs.from_dict({"refunded": True}),
        confidence=confidence,
    )


def page(client: AuthenticatedClient, cursor: str | None) -> DecisionPage:
    if cursor is None:
        answer = list_decisions.sync(client=client, limit=2)
    else:
        answer = list_decisions.sync(client=client, limit=2, cursor=cursor)
    assert isinstance(answer, ListDecisionsResponse200)
    return answer.data


def call(url: str, key: str) -> None:
    client = AuthenticatedClient(
        base_url=url, token=key, prefix="", auth_header_name="X-Ledger-Key"
    )
    made = record_decision.sync(client=client, body=decision(0.9))
    assert isinstance(made, RecordDecisionResponse201)
    read = get_decision.sync(made.data.decision_id, client=client)
    assert isinstance(read, GetDecisionResponse200)
    print(read.data.agent_id, read.data.confidence)
    member = BatchDecision(
        agent_id="refund-bot",
        action_type="refund",
        inputs=BatchDecisionInputs(),
        outputs=BatchDecisionOutputs(),
        confidence=0.5,
    )
    body = DecisionBatchBody(decisions=[member, member])
    batch = record_decisions.sync(client=client, body=body)
    assert isinstance(batch, RecordDecisionsResponse201)
    print(len(batch.data.decisions))
    first = page(client, None)
    second = page(client, first.next_cursor)
    print(len(first.decisions), len(second.decisions))
    refused = record_decision.sync_detailed(client=client, body=decision(2))
    invalid = refused.parsed
    assert isinstance(invalid, ValidationError)
    assert not isinstance(invalid.error.details, Unset)
    assert not isinstance(invalid.error.details.fields, Unset)
    for field in invalid.error.details.fields.additional_keys:
        print(invalid.error.code, field)


call(sys.argv[1], sys.argv[2])
