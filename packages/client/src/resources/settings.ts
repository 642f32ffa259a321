import type { SettingsAnswer, SettingsChange, SettingsPatch } from '../api/settings-forms.js';
import type { Api, ChangeOptions } from '../api.js';
import type { CallOptions, Tagged } from '../http.js';

/** The settings of the organisation. */
export class Settings {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** All settings; secrets are masked. */
  get(options: CallOptions = {}): Promise<SettingsAnswer> {
    return this.#api.get('/settings', {}, options);
  }

  /** All settings, with the tag that `ifMatch` of a change takes. */
  getTagged(options: CallOptions = {}): Promise<Tagged<SettingsAnswer>> {
    return this.#api.getTagged('/settings', options);
  }

  /**
   * Changes the given settings. Null restores a default.
   * @throws LedgerApiError `precondition_failed` if they are no longer those with the tag `ifMatch`
   */
  update(patch: SettingsPatch, options: ChangeOptions = {}): Promise<SettingsAnswer> {
    return this.#api.patch('/settings', patch, options);
  }

  /** What a change would do to the exposure. Changes nothing. */
  preview(patch: SettingsPatch, options: ChangeOptions = {}): Promise<SettingsChange> {
    return this.#api.patch('/settings?dry_run=true', patch, options);
  }
}
