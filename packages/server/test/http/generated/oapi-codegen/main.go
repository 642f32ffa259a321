package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"caller/ledger"
)

func main() {
	if err := call(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func call(url, key string) error {
	client, err := ledger.NewClientWithResponses(url, ledger.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("X-Ledger-Key", key)
			return nil
		}))
	if err != nil {
		return err
	}
	ctx := context.Background()
	made, err := client.RecordDecisionWithResponse(ctx, nil, decision(0.9))
	if err != nil {
		return err
	}
	read, err := client.GetDecisionWithResponse(ctx, made.JSON201.Data.DecisionId)
	if err != nil {
		return err
	}
	fmt.Println(read.JSON200.Data.AgentId, read.JSON200.Data.Confidence)
	member := ledger.BatchDecision{
		AgentId: "refund-bot", ActionType: "refund", Confidence: 0.5,
		Inputs: map[string]any{}, Outputs: map[string]any{},
	}
	batch, err := client.RecordDecisionsWithResponse(ctx, nil,
		ledger.DecisionBatchBody{Decisions: []ledger.BatchDecision{member, member}})
	if err != nil {
		return err
	}
	fmt.Println(len(batch.JSON201.Data.Decisions))
	limit := 2
	page, err := client.ListDecisionsWithResponse(ctx, &ledger.ListDecisionsParams{Limit: &limit})
	if err != nil {
		return err
	}
	first := page.JSON200.Data
	page, err = client.ListDecisionsWithResponse(ctx,
		&ledger.ListDecisionsParams{Limit: &limit, Cursor: first.NextCursor})
	if err != nil {
		return err
	}
	fmt.Println(len(first.Decisions), len(page.JSON200.Data.Decisions))
	refused, err := client.RecordDecisionWithResponse(ctx, nil, decision(2))
	if err != nil {
		return err
	}
	invalid, err := refused.JSON422.AsValidationError()
	if err != nil {
		return err
	}
	for field := range *invalid.Error.Details.Fields {
		fmt.Println(invalid.Error.Code, field)
	}
	return nil
}

func decision(confidence float64) ledger.DecisionBody {
	return ledger.DecisionBody{
		AgentId: "refund-bot", ActionType: "refund", Confidence: confidence,
		Inputs: map[string]any{"order_id": "A-1"}, Outputs: map[string]any{"refunded": true},
	}
}
