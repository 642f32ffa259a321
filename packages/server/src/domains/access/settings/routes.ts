import { DryRunQuery, type SettingsPreview } from '@decision-ledger/contract/dry-run';
import {
  SettingsAnswer,
  SettingsChange,
  SettingsPatch,
} from '@decision-ledger/contract/settings-forms';
import { success } from '@decision-ledger/contract/shared';
import { type EndpointTools, read } from '../../../http/endpoints.js';
import { callerOf } from '../../../http/envelope.js';
import { readIfMatch, setETag } from '../../../http/request-headers.js';
import type { Http } from '../../../http/types.js';
import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import type { Keyring } from '../../../platform/keyring/keyring.js';
import type { Ledger } from '../../../platform/ledger.js';
import type { Scope } from '../../../platform/principal.js';
import { changeSettings, stateTag, type TriedChange, trySettingsChange } from './change.js';
import { readSettings } from './read.js';

export interface SettingsRouteTools extends EndpointTools {
  readonly keyring: Keyring;
  readonly jobs: JobQueue;
  /** Called after the commit, so that the change takes effect in this process immediately. */
  readonly onSettings: (scope: Scope) => void;
  /** What a change of settings would do to the exposure, and to the last events. */
  readonly previewSettings: (ledger: Ledger, change: TriedChange) => Promise<SettingsPreview>;
}

export function settingsRoutes(app: Http, tools: SettingsRouteTools): void {
  const { db, wrap } = tools;
  read(app, tools, {
    path: '/settings',
    config: { permission: 'admin', isTagged: true },
    tag: 'settings',
    operationId: 'getSettings',
    summary: 'Get the settings, including defaults',
    data: SettingsAnswer,
    answer: async ({ ledger, reply }) => {
      const settings = await readSettings(ledger);
      setETag(reply, stateTag(settings));
      return settings;
    },
  });
  app.patch(
    '/settings',
    {
      // A dry run reads all decisions.
      config: { permission: 'admin', bucket: 'ingest', isTagged: true, isExpensive: true },
      schema: {
        tags: ['settings'],
        operationId: 'changeSettings',
        summary: 'Change settings with a JSON merge patch (RFC 7396)',
        consumes: ['application/json', 'application/merge-patch+json'],
        querystring: DryRunQuery,
        body: SettingsPatch,
        response: { 200: success(SettingsChange) },
      },
    },
    async (request, reply) => {
      const expected = readIfMatch(request);
      const principal = callerOf(request);
      const ledger = db.ledger(principal.scope);
      if (request.query.dry_run === true) {
        const tried = await ledger.write((tx) =>
          trySettingsChange(tx, tools, request.body, expected),
        );
        const dry_run = await tools.previewSettings(ledger, tried);
        return wrap(request, { ...tried.after, dry_run });
      }
      const changed = await ledger.write((tx) =>
        changeSettings(tx, tools, principal, request.body, expected),
      );
      tools.onSettings(principal.scope);
      setETag(reply, stateTag(changed));
      return wrap(request, changed);
    },
  );
}
