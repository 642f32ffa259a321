import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiException;
import org.openapitools.client.Configuration;
import org.openapitools.client.api.DecisionsApi;
import org.openapitools.client.model.BatchDecision;
import org.openapitools.client.model.DecisionBatchBody;
import org.openapitools.client.model.DecisionBody;
import org.openapitools.client.model.ValidationError;

public final class Caller {
  public static void main(String[] arguments) throws ApiException {
    var client = Configuration.getDefaultApiClient();
    client.setBasePath(arguments[0]);
    client.addDefaultHeader("X-Ledger-Key", arguments[1]);
    var api = new DecisionsApi(client);
    var made = api.recordDecision(decision(0.9), null, null);
    var read = api.getDecision(made.getData().getDecisionId());
    System.out.println(read.getData().getAgentId() + " " + read.getData().getConfidence());
    var member = new BatchDecision().agentId("refund-bot").actionType("refund").confidence(0.5)
        .inputs(Map.of()).outputs(Map.of());
    var batch = api.recordDecisions(new DecisionBatchBody().decisions(List.of(member, member)), null, null);
    System.out.println(batch.getData().getDecisions().size());
    var first = api.listDecisions(null, null, null, null, null, null, null, null, 2, null).getData();
    var second = api
        .listDecisions(null, null, null, null, null, null, null, first.getNextCursor(), 2, null).getData();
    System.out.println(first.getDecisions().size() + " " + second.getDecisions().size());
    try {
      api.recordDecision(decision(2), null, null);
    } catch (ApiException refused) {
      try {
        var error = ValidationError.fromJson(refused.getResponseBody()).getError();
        for (var field : error.getDetails().getFields().keySet()) System.out.println(error.getCode() + " " + field);
      } catch (java.io.IOException unread) {
        throw new IllegalStateException(unread);
      }
    }
  }

  private static DecisionBody decision(double confidence) {
    return new DecisionBody().agentId("refund-bot").actionType("refund").confidence(confidence)
        .inputs(Map.of("order_id", "A-1")).outputs(Map.of("refunded", true));
  }
}
