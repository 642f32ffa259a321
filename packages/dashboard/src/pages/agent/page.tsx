import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../../components/page.tsx';

const route = getRouteApi('/shell/agents/$agentId');

export function AgentPage() {
  const { agentId } = route.useParams();
  return <Page title={agentId} />;
}
