package main

import (
	"context"
	"errors"
	"fmt"
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
	configuration := ledger.NewConfiguration()
	configuration.Servers = ledger.ServerConfigurations{{URL: url}}
	api := ledger.NewAPIClient(configuration).DecisionsAPI
	keys := map[string]ledger.APIKey{"key": {Key: key}}
	ctx := context.WithValue(context.Background(), ledger.ContextAPIKeys, keys)
	made, _, err := api.RecordDecision(ctx).DecisionBody(decision(0.9)).Execute()
	if err != nil {
		return err
	}
	read, _, err := api.GetDecision(ctx, made.Data.DecisionId).Execute()
	if err != nil {
		return err
	}
	fmt.Println(read.Data.AgentId, read.Data.Confidence)
	member := *ledger.NewBatchDecision("refund-bot", "refund", map[string]any{}, map[string]any{}, 0.5)
	batch, _, err := api.RecordDecisions(ctx).
		DecisionBatchBody(*ledger.NewDecisionBatchBody([]ledger.BatchDecision{member, member})).Execute()
	if err != nil {
		return err
	}
	fmt.Println(len(batch.Data.Decisions))
	first, _, err := api.ListDecisions(ctx).Limit(2).Execute()
	if err != nil {
		return err
	}
	second, _, err := api.ListDecisions(ctx).Limit(2).Cursor(first.Data.GetNextCursor()).Execute()
	if err != nil {
		return err
	}
	fmt.Println(len(first.Data.Decisions), len(second.Data.Decisions))
	_, _, err = api.RecordDecision(ctx).DecisionBody(decision(2)).Execute()
	var refused *ledger.GenericOpenAPIError
	if !errors.As(err, &refused) {
		return fmt.Errorf("expected a refusal: %w", err)
	}
	// Of alternatives, this generator fills the first one that fits: the code says which error it is.
	answer := refused.Model().(ledger.RecordDecision422Response)
	for field := range answer.TooLateError.Error.Details.Fields {
		fmt.Println(answer.TooLateError.Error.Code, field)
	}
	return nil
}

func decision(confidence float64) ledger.DecisionBody {
	return *ledger.NewDecisionBody("refund-bot", "refund",
		map[string]any{"order_id": "A-1"}, map[string]any{"refunded": true}, confidence)
}
